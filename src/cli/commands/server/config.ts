import { settingList } from '../../../config/settings.ts';
import type { Command } from '../../context/command-context.ts';
import { exitCodes } from '../../context/exit-codes.ts';
import { formatTable } from '../../terminal/output.ts';

/**
 * Every setting with its value and where that comes from; secrets are masked. With a mistake in the configuration, people get the
 * list before the error, since it is what they mend it by; machines get the error alone.
 */
export const configCommand: Command<[], object> = async ({ config, environment, output }) => {
  if (output.isJson) config();
  const lines = settingList.map(({ name, unit, defaultText, what, secret }) => {
    const given = environment[name];
    const isSet = given !== undefined && given !== '';
    return {
      name,
      value: isSet ? shown(given, secret) : defaultText,
      origin: isSet ? 'environment' : 'default',
      unit,
      what,
    };
  });
  output.result({ settings: lines }, () =>
    formatTable(
      ['setting', 'value', 'from', 'unit'],
      lines.map((line) => [line.name, line.value, line.origin, line.unit]),
    ),
  );
  config();
  return exitCodes.done;
};

function shown(value: string, secret: boolean): string {
  return secret ? '(set, not shown)' : value;
}
