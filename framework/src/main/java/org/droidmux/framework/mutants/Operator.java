package org.droidmux.framework.mutants;

/**
 * One kind of defect: where an app's own code can have it. What it looks for is written down in each, with the published
 * list of operators, or the study of real bugs, that it comes from:
 *
 * <ul>
 *   <li>MDroid+: Linares-Vásquez et al., "Enabling Mutation Testing for Android Apps", ESEC/FSE 2017, table 1.
 *   <li>Deng et al.: "Mutation operators for testing Android apps", Information and Software Technology 81, 2017.
 *   <li>Xiong et al.: "An Empirical Study of Functional Bugs in Android Apps", ISSTA 2023.
 *   <li>Riganelli et al.: "A Benchmark of Data Loss Bugs for Android Apps", MSR 2019.
 *   <li>PIT: Coles et al., "PIT: A Practical Mutation Testing Tool for Java", ISSTA 2016.
 * </ul>
 */
interface Operator {
  /** Its name in lists. */
  String name();

  /** Offers the places of a class. */
  void look(OwnClass own, Places places);
}
