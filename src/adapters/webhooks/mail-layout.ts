import type { Message } from '../../core/events/messages/message.ts';

/** Formats a message as plain text, for mail and for terminals. */
export function textForm({ headline, fields, steps }: Message): string {
  const width = Math.max(0, ...fields.map(({ label }) => label.length));
  const blocks = [
    [headline],
    fields.map(({ label, text }) => `${label.padEnd(width)}  ${text}`),
    steps.flatMap(({ what, command }) => [`${what}:`, `  ${command}`]),
  ];
  return `${blocks
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n')}\n`;
}

/** Formats a message as simple HTML that every mail program can show. */
export function htmlForm({ headline, fields, steps }: Message): string {
  const rows = fields.map(
    ({ label, text }) =>
      `<tr><td style="padding:2px 16px 2px 0;color:#666">${escape(label)}</td><td>${escape(text)}</td></tr>`,
  );
  const commands = steps.map(
    ({ what, command }) => `<p>${escape(what)}:<br><code>${escape(command)}</code></p>`,
  );
  return [
    '<!doctype html><html><body style="font-family:sans-serif">',
    `<p><strong>${escape(headline)}</strong></p>`,
    ...(rows.length === 0 ? [] : [`<table>${rows.join('')}</table>`]),
    ...commands,
    '</body></html>',
  ].join('\n');
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escape(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? '');
}
