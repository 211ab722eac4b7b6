package org.droidmux.framework.mutants;

/**
 * A defect that was woven in.
 *
 * @param number its switch, from 0 on
 * @param operator the kind of defect
 * @param type the class, with dots
 * @param method name and descriptor
 * @param line in the source file; 0 where the code does not say
 * @param what what is done otherwise, in words
 */
public record Mutant(int number, String operator, String type, String method, int line, String what) {}
