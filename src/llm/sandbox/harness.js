// Evaluated before any untrusted code, of which nothing can change what is kept here: no method is
// looked up later on anything that code can reach.
(function (random, put, unit, tooMuch, most) {
    "use strict";
    const { apply, construct, getPrototypeOf } = Reflect;
    const { isArray } = Array;
    const { isWellFormed, charCodeAt } = String.prototype;
    const iterator = Symbol.iterator;
    const asyncIterator = Symbol.asyncIterator;
    const toText = String;
    const generator = getPrototypeOf(function* () {});
    const RealDate = Date;
    const dateText = RealDate.prototype.toString;
    const NOW = 1735689600000; // 2025-01-01 00:00 UTC

    // Chance and time are those of the job.
    Math.random = random;
    function FixedDate(...parts) {
        if (new.target === undefined) {
            return apply(dateText, new RealDate(NOW), []);
        }
        return construct(RealDate, parts.length === 0 ? [NOW] : parts, new.target);
    }
    FixedDate.prototype = RealDate.prototype;
    FixedDate.parse = RealDate.parse;
    FixedDate.UTC = RealDate.UTC;
    FixedDate.now = () => NOW;
    Object.defineProperty(FixedDate, "name", { value: "Date" });
    RealDate.prototype.constructor = FixedDate;
    globalThis.Date = FixedDate;
    // The time zone is read from the environment once, now.
    new RealDate(NOW).getTimezoneOffset();

    // What nothing here needs, and what code written for Node or a browser expects.
    for (const name of ["SharedArrayBuffer", "Atomics", "queueMicrotask"]) {
        delete globalThis[name];
    }
    const silent = () => undefined;
    globalThis.console = { log: silent, info: silent, warn: silent, error: silent, debug: silent };
    globalThis.module = { exports: {} };
    globalThis.exports = globalThis.module.exports;

    // Hands a text on, with what is expected of it; false when no more are wanted.
    function hand(item, expected) {
        if (item.length > most) {
            tooMuch();
            return false;
        }
        if (apply(isWellFormed, item, [])) {
            return put(item, expected);
        }
        for (let at = 0; at < item.length; at += 1) {
            unit(apply(charCodeAt, item, [at]));
        }
        return put("", expected);
    }

    // Whether a value is an input as it is.
    function isText(value) {
        switch (typeof value) {
            case "string":
            case "number":
            case "bigint":
            case "boolean":
                return true;
            default:
                return false;
        }
    }

    function kind(value) {
        return value === null ? "null" : isArray(value) ? "an array" : typeof value;
    }

    return {
        isGenerator(value) {
            return typeof value === "function" && getPrototypeOf(value) === generator;
        },
        isIterable(value) {
            return value !== null && typeof value === "object" && typeof value[iterator] === "function";
        },
        // Iterates over what `value` gives. The complaint about it, empty when there is none.
        run(value) {
            const made = typeof value === "function" ? value() : value;
            if (made === null || typeof made !== "object") {
                return `there is no generator function, only what gives ${kind(made)}`;
            }
            const open = made[iterator];
            if (typeof open !== "function") {
                const isAsync = typeof made[asyncIterator] === "function" || typeof made.then === "function";
                return isAsync ? "it is asynchronous" : "what it gives cannot be iterated over";
            }
            const items = apply(open, made, []);
            const next = items.next;
            for (;;) {
                const step = apply(next, items, []);
                if (step === null || typeof step !== "object") {
                    return `its next() gives ${kind(step)}`;
                }
                if (step.done) {
                    return "";
                }
                let item = step.value;
                let expected = "";
                if (item !== null && typeof item === "object" && !isArray(item)) {
                    const said = item.expected;
                    expected = said === "accepted" || said === "refused" || said === "open" ? said : "";
                    item = item.input;
                    if (!isText(item)) {
                        return `it yields an object whose input is ${kind(item)} instead of a string`;
                    }
                }
                if (!isText(item)) {
                    return `it yields ${kind(item)} instead of a string`;
                }
                if (!hand(toText(item), expected)) {
                    return "";
                }
            }
        },
    };
})
