import { settingList } from '../../../../src/config/settings.ts';
import type { Setting } from '../../../../src/config/setting.ts';
import { liveSources } from '../../../../src/sources/registry.ts';
import { code, joinParts, markdownTable, pageHead } from './markdown-page.ts';

/** Contents of docs/reference/configuration.md, from the settings themselves. */
export function configurationPage(): string {
  return joinParts([
    pageHead('Configuration', intro),
    ...groups.flatMap(({ title }) => [
      `## ${title}`,
      settingTable(settingList.filter((setting) => titleOf(setting) === title)),
    ]),
  ]);
}

const intro = `Set environment variables, or put them into a file \`.env\` in the working folder. \`nightshift config\` shows the values in force and where
each comes from. Nightshift rejects a name with \`NIGHTSHIFT_\` that it does not know.

A setting marked as secret can also come from a file: \`NAME_FILE\` names the file that holds the value of \`NAME\`, such as
\`DATABASE_URL_FILE\`. Output, logs and error messages never show a secret. [Deployment](../guides/deployment.md#secrets-in-files) has an example.`;

/** Groups of settings in the order of the page; a setting belongs to the first that matches its name. */
const groups: readonly { readonly title: string; readonly names: RegExp }[] = [
  {
    title: 'Database and queue',
    names: /^(DATABASE|REDIS)_URL$|_(HOME|DIRECT_URL|OWNER_URL|READER_URL|QUEUE_PREFIX)$|_SQL_/,
  },
  {
    title: 'HTTP API',
    names:
      /^(HOST|PORT)$|_(METRICS_PORT|BASE_URL|TRUST_PROXY|BACKLOG_MAX)$|_(KEYS?|ACCOUNT)_(REQUESTS_)?PER_MINUTE$/,
  },
  { title: 'Sign-in', names: /_OIDC_/ },
  { title: 'Work', names: /_(CONCURRENCY|LEASE_SECONDS|GRACE_SECONDS|OPENING_CREDITS|LOG_LEVEL)$/ },
  { title: 'Retention', names: /_KEEP_/ },
  { title: 'Network and folders', names: /_(DNS_|ALLOWED_HOSTS|FOLDERS)/ },
  { title: 'E-mail probing', names: /_PROBE_/ },
  { title: 'Outgoing mail', names: /_(SMTP_URL|MAIL_FROM)$/ },
  {
    title: 'Ad sources',
    names: /_(SOURCES|SOURCE_MAPS|SOURCE_WAIT_SECONDS|NONE_OUTVOTES_FAILED)$|^NIGHTSHIFT_MAX_SPEND_PER_DAY$/,
  },
  ...liveSources.map(({ id }) => ({
    title: `Source ${id}`,
    names: new RegExp(`^NIGHTSHIFT_${id.toUpperCase()}_`),
  })),
];

/** The group of a setting. @throws Error for a setting without one. */
function titleOf({ name }: Setting): string {
  const ofSource = groups.findLast(({ title, names }) => title.startsWith('Source ') && names.test(name));
  const group = ofSource ?? groups.find(({ names }) => names.test(name));
  if (group === undefined)
    throw new Error(`${name} is in no group of ${import.meta.filename}. Add it to one.`);
  return group.title;
}

function settingTable(settings: readonly Setting[]): string {
  return markdownTable(
    ['Setting', 'Unit or values', 'Default', 'Secret', 'Meaning'],
    settings.map(({ name, unit, defaultText, secret, what }) => [
      code(name),
      unit,
      defaultText,
      secret ? 'yes' : '',
      what,
    ]),
  );
}
