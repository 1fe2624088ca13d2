/** Error of an interrupted command. The message says what is kept and how to continue. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted';
}
