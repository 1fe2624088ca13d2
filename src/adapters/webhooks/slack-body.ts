import type { Message } from '../../core/events/messages/message.ts';

/** Slack's limit for the text of a section, with some margin. */
const sectionCharsMax = 2900;

/** Body for an incoming webhook of Slack: `text` for notifications, one section for the message. */
export function slackBody({ headline, fields, steps }: Message): string {
  const lines = [
    `*${escape(headline)}*`,
    ...fields.map(({ label, text }) => `${escape(label)}: ${escape(text)}`),
    ...steps.map(({ what, command }) => `${escape(what)}: \`${escape(command)}\``),
  ];
  const section = { type: 'section', text: { type: 'mrkdwn', text: cut(lines) } };
  return JSON.stringify({ text: escape(headline), blocks: [section] });
}

/** Whole lines only: half an entity would be visible. */
function cut(lines: readonly string[]): string {
  let text = '';
  for (const line of lines) {
    if (text.length + line.length > sectionCharsMax) break;
    text += `${text === '' ? '' : '\n'}${line}`;
  }
  return text;
}

/** Slack interprets these three characters as the start of a link or a mention (docs.slack.dev, "Escaping text"). */
function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
