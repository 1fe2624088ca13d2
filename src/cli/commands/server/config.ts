import { chooseHome } from '../../../config/home.ts';
import { parseSourceMaps } from '../../../config/source-maps.ts';
import { settingsWith } from '../../../config/settings.ts';
import { createSourceCatalog } from '../../../sources/registry.ts';
import type { Command } from '../../context/command-context.ts';
import { exitCodes } from '../../context/exit-codes.ts';
import { formatTable } from '../../terminal/format-table.ts';

/**
 * Lists all settings with their values and origins; secrets are masked. An invalid configuration prints the list before the error, because
 * the list helps to fix it; with `--json` it prints the error only.
 */
export const configCommand: Command<[], object> = async ({ config, environment, output }) => {
  if (output.isJson) config();
  const { liveSources } = createSourceCatalog(parseSourceMaps(environment).maps);
  /** Defaults that depend on this machine. */
  const actual: Readonly<Record<string, string>> = { NIGHTSHIFT_HOME: chooseHome({ environment }) };
  const lines = settingsWith(liveSources).map(({ name, unit, defaultText, what, secret }) => {
    const given = environment[name];
    const isSet = given !== undefined && given !== '';
    return {
      name,
      value: isSet ? mask(given, secret) : (actual[name] ?? defaultText),
      origin: isSet ? 'environment' : 'default',
      unit,
      what,
    };
  });
  output.result({ settings: lines }, () =>
    formatTable(
      ['setting', 'value', { title: 'from', hide: 2 }, { title: 'unit', hide: 1 }],
      lines.map((line) => [line.name, line.value, line.origin, line.unit]),
      output.tableColumns(),
    ),
  );
  config();
  return exitCodes.done;
};

function mask(value: string, secret: boolean): string {
  return secret ? '(set, hidden)' : value;
}
