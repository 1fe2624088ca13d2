/** A deliberate defect, and the tests that must fail with it. */
export interface SeededBug {
  readonly name: string;
  /** Guarantee that the defect removes. */
  readonly guard: string;
  /** Path from the root of the project. */
  readonly file: string;
  /** Text that occurs exactly once in the file. */
  readonly find: string;
  readonly replace: string;
  /** The smallest set of test files that must fail, relative to the folder `test`. */
  readonly tests: readonly string[];
  /** Filter of the tests to run, as for `vitest -t`. Default: all. */
  readonly only?: string;
}
