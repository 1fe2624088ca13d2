import type { Command } from 'commander';
import { commandGuides } from './command-guides.ts';
import { exitCodes } from './context/exit-codes.ts';

/** Examples of a command, and its own meanings of exit codes. */
export interface CommandNotes {
  /** Arguments after `nightshift`; each example is one call. */
  readonly examples: readonly string[];
  /** Exit codes with a meaning of their own. All commands share the others. */
  readonly exits?: Readonly<Partial<Record<keyof typeof exitCodes, string>>>;
}

/** Exit codes of commands that wait for a batch. */
const exitsOfWork: CommandNotes['exits'] = {
  done: 'The batch is finished; no lookup failed.',
  someFailed: 'The batch is finished but some lookups failed, or it waits for a source that cannot answer.',
  outOfCredits: 'The batch waits: its credits or the call budget of a source are used up.',
  keyRejected: 'The batch waits: the source rejects the key.',
  interrupted: 'The batch is paused or cancelled, or you pressed Ctrl-C. Its results are kept.',
};

const exitsOfCheck: CommandNotes['exits'] = {
  done: 'All rows can be used.',
  someFailed: 'Some rows cannot be used; the output lists them.',
  wrongUsage: 'The file cannot be read, or a column is ambiguous.',
};

const batch = 'bat_01a1fda09ee4717fbb1955412030aa90';

/** Notes of every command, by its full name. `--help` and docs/reference/cli.md show them. */
export const commandNotes: Readonly<Record<string, CommandNotes>> = {
  demo: { examples: ['demo'], exits: exitsOfWork },
  enrich: {
    examples: [
      'enrich examples/companies.csv --source sample -o enriched.csv',
      'enrich examples/companies.csv --source sample --max-credits 5',
    ],
    exits: exitsOfWork,
  },
  check: {
    examples: [
      'check examples/companies.csv',
      'check examples/companies.csv --source snapshot',
      'check contacts.csv --map company_name=Account email=',
      'check a.csv b.csv --map company_name=@first --parsed rows',
    ],
    exits: {
      ...exitsOfCheck,
      done: 'All rows can be used; duplicates cost nothing.',
      someFailed: 'Some rows cannot be used, or are duplicates with --strict; the output lists them.',
    },
  },
  load: { examples: ['load examples/companies.csv --source sample'] },
  status: { examples: ['status', 'status latest --json'] },
  'run-again': { examples: ['run-again latest --max-age 7d', 'run-again companies.csv --limit 10'] },
  watch: { examples: ['watch latest'], exits: exitsOfWork },
  export: {
    examples: [
      'export latest -o ads.parquet --shape ads',
      'export companies.csv -o enriched.xlsx',
      'export --since 2026-11-20 -o ended.csv',
      'export latest -o for-excel.csv --for-excel',
    ],
  },
  report: {
    examples: [
      `report ${batch} -o report.html`,
      'report every-night --days 90 -o report.md',
      'report latest --share --days 14',
    ],
  },
  'report-links': { examples: ['report-links'] },
  'report-links list': { examples: ['report-links list latest'] },
  'report-links revoke': { examples: ['report-links revoke rpl_01a1fda09ee4717fbb1955412030aa90'] },
  pause: { examples: [`pause ${batch}`] },
  resume: { examples: [`resume ${batch} --max-credits 20`] },
  cancel: { examples: [`cancel ${batch}`] },
  retry: { examples: [`retry ${batch} --in-doubt`] },
  rename: { examples: [`rename ${batch} "Rivals, autumn"`] },
  tag: { examples: [`tag ${batch} rivals eu`] },
  archive: { examples: [`archive ${batch}`, `archive ${batch} --undo`] },
  delete: { examples: [`delete ${batch}`] },
  reparse: { examples: [`reparse ${batch}`] },
  up: { examples: ['up'] },
  serve: { examples: ['serve'] },
  work: { examples: ['work'] },
  purge: { examples: ['purge --older-than 365d --kind batches,addresses --dry-run'] },
  verify: {
    examples: ['verify', 'verify --full'],
    exits: { someFailed: 'An invariant is broken; the output lists it.' },
  },
  doctor: {
    examples: ['doctor'],
    exits: {
      someFailed: 'A check found a problem; the output shows how to fix it.',
      serverUnreachable: 'The database or the queue is unreachable.',
    },
  },
  migrate: { examples: ['migrate --logins'] },
  upgrade: { examples: ['upgrade', 'upgrade --back-out', 'upgrade --remove-old'] },
  config: { examples: ['config'] },
  stop: { examples: ['stop'] },
  backup: {
    examples: [
      'backup /mnt/backups/nightshift --every 1d',
      'backup s3://backups/nightshift --s3-region eu-central-1',
    ],
  },
  'backup list': { examples: ['backup list', 'backup list s3://backups/nightshift --json'] },
  'backup verify': {
    examples: ['backup verify'],
    exits: { someFailed: 'An invariant is broken in the restored database; the output lists the findings.' },
  },
  'backup off': { examples: ['backup off'] },
  restore: {
    examples: [
      'restore /mnt/backups/nightshift',
      'restore /mnt/backups/nightshift --to "2026-11-22 02:13" --replace',
    ],
  },
  completion: { examples: ['completion bash', 'completion fish'] },
  schedule: { examples: ['schedule'] },
  'schedule add': {
    examples: [
      'schedule add every-night --companies rivals.csv --cron "0 2 * * 1-5"',
      'schedule add weekly --from-batch latest --cron @weekly',
    ],
  },
  'schedule edit': { examples: ['schedule edit every-night --max-credits 5'] },
  'schedule list': { examples: ['schedule list'] },
  'schedule show': { examples: ['schedule show every-night'] },
  'schedule next': { examples: ['schedule next every-night --count 3'] },
  'schedule scans': { examples: ['schedule scans every-night'] },
  'schedule run': { examples: ['schedule run every-night'] },
  'schedule pause': { examples: ['schedule pause every-night'] },
  'schedule resume': { examples: ['schedule resume every-night'] },
  'schedule remove': { examples: ['schedule remove every-night'] },
  inbox: { examples: ['inbox'] },
  'inbox add': {
    examples: [
      'inbox add leads /data/leads --every 5m --map company_name=Account --max-credits 20',
      'inbox add crm postgres://reader@db.example.com/crm --query new-accounts.sql --newer-by created_at --cron "0 * * * *"',
    ],
  },
  'inbox edit': { examples: ['inbox edit leads --max-credits 50 --after move'] },
  'inbox list': { examples: ['inbox list'] },
  'inbox show': { examples: ['inbox show leads'] },
  'inbox files': { examples: ['inbox files leads --state failed'] },
  'inbox look': {
    examples: ['inbox look leads'],
    exits: { someFailed: 'The location does not answer, or rejects the credentials or the query.' },
  },
  'inbox retry': { examples: ['inbox retry leads monday.csv'] },
  'inbox pause': { examples: ['inbox pause leads'] },
  'inbox resume': { examples: ['inbox resume leads'] },
  'inbox remove': { examples: ['inbox remove leads'] },
  changes: { examples: ['changes every-night --since 7d --kind new,ended'] },
  search: { examples: ['search --domain nike.com --source sample'] },
  sources: { examples: ['sources'] },
  'sources smoke': {
    examples: ['sources smoke serpapi --domain nike.com'],
    exits: { someFailed: 'The source found no ads, or its response lacks fields of the recorded one.' },
  },
  snapshot: { examples: ['snapshot load --sample'] },
  'snapshot load': {
    examples: [
      'snapshot load creative_stats-1.csv.gz creative_stats-2.csv.gz',
      'snapshot load "creative_stats-*.parquet"',
      'snapshot load --sample',
    ],
  },
  companies: { examples: ['companies'] },
  'companies list': { examples: ['companies list nike.com'] },
  'companies map': { examples: ['companies map nike.com AR16735076323512287233 --role allow'] },
  'companies remove': { examples: ['companies remove nike.com'] },
  'companies dismiss': { examples: ['companies dismiss nike.com', 'companies dismiss nike.com --undo'] },
  'companies import': { examples: ['companies import mapping.csv'], exits: exitsOfCheck },
  'companies review': {
    examples: ['companies review', 'companies review --company nike.com', 'companies review --json'],
  },
  'companies match': {
    examples: ['companies match --ndjson'],
    exits: { someFailed: 'Some lines cannot be parsed.' },
  },
  validate: {
    examples: ['validate --syntax-only jane@gmial.com', 'validate --ndjson'],
    exits: { someFailed: 'With --ndjson: some lines cannot be parsed.' },
  },
  erase: { examples: ['erase jane@example.com'] },
  lists: { examples: ['lists'] },
  'lists refresh': { examples: ['lists refresh'] },
  'opt-outs': { examples: ['opt-outs'] },
  'opt-outs add': { examples: ['opt-outs add example.com jane@example.org'] },
  'opt-outs remove': { examples: ['opt-outs remove example.com'] },
  sql: {
    examples: ['sql "select outcome, count(*) from reports.lookups group by 1"', 'sql --views', 'sql --url'],
  },
  destination: { examples: ['destination'] },
  'destination add': {
    examples: [
      'destination add lake /data/lake --shape rows,ads',
      'destination add crm postgres://loader@db.example.com/crm --table sales.companies --key Website',
      'destination add bucket s3://results/nightshift --s3-region eu-central-1 --credentials bucket.json',
    ],
  },
  'destination list': { examples: ['destination list'] },
  'destination show': { examples: ['destination show lake'] },
  'destination landings': { examples: ['destination landings lake --state dead'] },
  'destination replay': { examples: ['destination replay lake --since 7d'] },
  'destination test': {
    examples: ['destination test lake'],
    exits: { done: 'The destination can be written.', someFailed: 'The destination cannot be written.' },
  },
  'destination edit': { examples: ['destination edit lake --shape rows'] },
  'destination enable': { examples: ['destination enable lake'] },
  'destination disable': { examples: ['destination disable lake'] },
  'destination remove': { examples: ['destination remove lake'] },
  webhook: { examples: ['webhook'] },
  'webhook add': {
    examples: [
      'webhook add crm --url https://crm.example.com/hooks',
      'webhook add team --email team@example.com',
    ],
  },
  'webhook list': { examples: ['webhook list'] },
  'webhook test': {
    examples: ['webhook test crm'],
    exits: { someFailed: 'The delivery failed; the output shows the error.' },
  },
  'webhook deliveries': { examples: ['webhook deliveries crm --state dead'] },
  'webhook replay': { examples: ['webhook replay crm --dead'] },
  'webhook rotate': { examples: ['webhook rotate crm'] },
  'webhook enable': { examples: ['webhook enable crm'] },
  'webhook disable': { examples: ['webhook disable crm'] },
  'webhook remove': { examples: ['webhook remove crm'] },
  accounts: { examples: ['accounts'] },
  'accounts add': { examples: ['accounts add marketing'] },
  'accounts limits': { examples: ['accounts limits marketing --requests-per-minute 300'] },
  'accounts login': { examples: ['accounts login marketing'] },
  keys: { examples: ['keys'] },
  'keys create': { examples: ['keys create --name crm --expires 90'] },
  'keys regenerate': { examples: ['keys regenerate key_01a1ff734ad87655b2c761ba36458456'] },
  'keys revoke': { examples: ['keys revoke key_01a1ff734ad87655b2c761ba36458456'] },
  users: { examples: ['users'] },
  'users add': { examples: ['users add jane@example.com --role member'] },
  'users link': { examples: ['users link jane@example.com'] },
  'users role': { examples: ['users role jane@example.com admin'] },
  'users sign-out': { examples: ['users sign-out jane@example.com'] },
  'users disable': { examples: ['users disable jane@example.com'] },
  'users enable': { examples: ['users enable jane@example.com'] },
  credits: { examples: ['credits'] },
  'credits grant': { examples: ['credits grant 25 --reason "budget of May"'] },
  'credits low': { examples: ['credits low 100'] },
  prices: { examples: ['prices'] },
  'prices source': { examples: ['prices source serpapi 0.01 --currency USD'] },
  audit: {
    examples: ['audit --since 30d'],
    exits: { someFailed: 'The charges of a source differ from its price book.' },
  },
};

/** Adds the examples to the help of every command. `ownCommand` starts this command line. */
export function showCommandNotes(program: Command, ownCommand: string): void {
  for (const { command, words } of commandsOf(program)) {
    showRequiredOptions(command);
    const lines = twoExamples(command, words).map((example) => `  ${ownCommand} ${example}`);
    const guide = commandGuides[words.split(' ')[0] ?? ''];
    command.addHelpText(
      'after',
      [
        ...(lines.length === 0 ? [] : ['', 'Examples:', ...lines]),
        ...(guide === undefined ? [] : ['', `Guide: ${guide}`]),
      ].join('\n'),
    );
  }
}

/** The examples of a command, at least two: a command with one also shows its output for programs. */
function twoExamples(command: Command, words: string): readonly string[] {
  const examples = commandNotes[words]?.examples ?? [];
  const [only = words] = examples;
  const hasJson = command.options.some(({ long }) => long === '--json');
  return examples.length === 1 && hasJson && !only.includes('--json') ? [only, `${only} --json`] : examples;
}

/** Puts the options that a command requires into the first line of its help. */
function showRequiredOptions(command: Command): void {
  const required = command.options.filter(({ mandatory }) => mandatory);
  if (required.length === 0) return;
  const names = command.registeredArguments.map((argument) => {
    const name = `${argument.name()}${argument.variadic ? '...' : ''}`;
    return argument.required ? `<${name}>` : `[${name}]`;
  });
  command.usage([...names, ...required.map(({ flags }) => flags), '[options]'].join(' '));
  for (const option of required) option.description = `${option.description} (required)`;
}

/** Lists all commands below `parent`, each with its full name after `nightshift`; a command precedes its subcommands. */
export function commandsOf(
  parent: Command,
  before: readonly string[] = [],
): readonly { readonly command: Command; readonly words: string }[] {
  return parent.commands.flatMap((command) => {
    const words = [...before, command.name()];
    return [{ command, words: words.join(' ') }, ...commandsOf(command, words)];
  });
}
