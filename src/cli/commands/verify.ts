import type { Command } from '../command-context.ts';
export const verify: Command<[], object> = async () => 0;
