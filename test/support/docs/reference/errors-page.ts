import { problemKinds } from '../../../../src/api/http/problem.ts';
import { code, joinParts, markdownTable, pageHead, sentence } from './markdown-page.ts';

/** Contents of docs/reference/errors.md, from the errors that the API translates to. */
export function errorsPage(): string {
  const problems = Object.entries(problemKinds);
  return joinParts([
    pageHead('Errors', intro),
    markdownTable(
      ['Code', 'HTTP status', 'Title'],
      problems.map(([name, { status, title }]) => [`[${code(name)}](#${name})`, String(status), title]),
    ),
    ...problems.flatMap(([name, { status, title, when, remedy }]) => [
      `## ${name}`,
      `HTTP ${status}: ${sentence(title)}`,
      `**When:** ${when}`,
      `**What to do:** ${remedy}`,
    ]),
  ]);
}

const intro = `All errors of the HTTP API have one form:

\`\`\`json
{
  "errors": [
    {
      "type": "http://127.0.0.1:3000/errors/not_found",
      "title": "${problemKinds.not_found.title}",
      "status": 404,
      "code": "not_found"
    }
  ],
  "meta": { "request_id": "req_01a1ff734ad87655b2c761ba36458456", "timestamp": "2026-05-01T02:00:00.000Z" }
}
\`\`\`

Decide by \`code\`, which stays the same between versions; \`title\` says what is wrong with your request. \`type\` is a page of your own server
with the text below. Responses 429 and 503 have the header \`Retry-After\`, in seconds. Send the \`request_id\` when you report a problem.

Commands report errors as text with their remedy, and by their [exit code](cli.md#exit-codes).`;
