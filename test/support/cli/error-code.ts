import { z } from 'zod';

const problems = z.object({ errors: z.tuple([z.object({ code: z.string() })]) });

/** Code of the error that a command with `--json` printed. */
export function codeIn(stdout: string): string {
  return problems.parse(JSON.parse(stdout)).errors[0].code;
}
