/** A defect put in on purpose, and the tests that must fail with it. */
export interface SeededBug {
  readonly name: string;
  /** Guarantee that the defect removes. */
  readonly guard: string;
  /** From the root of the project. */
  readonly file: string;
  /** Stands exactly once in the file. */
  readonly find: string;
  readonly replace: string;
  /** The narrowest test files that must fail, from the folder `test`. */
  readonly tests: readonly string[];
  /** Filter of the tests to run, as for `vitest -t`. Default: all. */
  readonly only?: string;
}
