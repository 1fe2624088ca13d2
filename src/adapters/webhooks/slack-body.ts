import type { Message } from '../../core/events/messages/message.ts';

/** Slack's limit for the text of a section, with some room. */
const sectionCharsMax = 2900;

/** The body for an incoming webhook as Slack has them: `text` for notifications, one section for readers. */
export function slackBody({ headline, fields, steps }: Message): string {
  const lines = [
    `*${escape(headline)}*`,
    ...fields.map(({ label, text }) => `${escape(label)}: ${escape(text)}`),
    ...steps.map(({ what, command }) => `${escape(what)}: \`${escape(command)}\``),
  ];
  const section = { type: 'section', text: { type: 'mrkdwn', text: cut(lines) } };
  return JSON.stringify({ text: escape(headline), blocks: [section] });
}

/** Whole lines only: half an entity would show. */
function cut(lines: readonly string[]): string {
  let text = '';
  for (const line of lines) {
    if (text.length + line.length > sectionCharsMax) break;
    text += `${text === '' ? '' : '\n'}${line}`;
  }
  return text;
}

/** Slack reads these three as the beginning of something (docs.slack.dev, "Escaping text"): a link, a mention of everybody. */
function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
