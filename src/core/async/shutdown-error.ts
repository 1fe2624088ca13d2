/** Reason of an orderly shutdown: running calls finish, no new call starts, and unfinished work is released at once. */
export class ShutdownError extends Error {}
