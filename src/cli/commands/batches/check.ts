import { ValidationError } from '../../../core/errors.ts';
import { creditsNumber, formatCredits } from '../../../core/credits/credits.ts';
import { checkCompanies, type CompanyCheck } from '../../../producer/preview/check-companies.ts';
import type { FileForm } from '../../../producer/columns/company-file.ts';
import { formatLabels, placeUnit, type PlaceUnit } from '../../../producer/formats/file-formats.ts';
import { readCompanies } from '../../../producer/rows/read-companies.ts';
import { describeUnused, describeUsed } from '../../../producer/columns/column-labels.ts';
import type { Command } from '../../context/command-context.ts';
import { exitCodes } from '../../context/exit-codes.ts';
import { openFile, type FileOptions } from './open-file.ts';
import { estimateVendorCosts, vendorCostLines, type VendorCost } from './vendor-costs.ts';
import { parseFiles } from './parse-files.ts';

/**
 * Prices of docs/architecture/contract.md, 8, and of docs/architecture/decisions/0009-microcredits.md: `check` works offline and cannot
 * read the price book.
 */
const contractPricesMicro = { ads_search: 200_000n, email_validation: 0n };
const remarksShown = 10;

interface CheckOptions extends FileOptions {
  readonly parsed?: string;
  readonly source?: string;
}

/** Checks a file without loading it or spending credits, or writes the rows of several files. Exits 0 if all rows can be used, 1 with findings (and with `--strict` for duplicates), 2 if it cannot be read. */
export const check: Command<[readonly string[]], CheckOptions> = async (context, options, files) => {
  const { parsed } = options;
  if (parsed !== undefined) return parseFiles(context, files, { ...options, parsed });
  const [file = '', ...others] = files;
  if (others.length > 0)
    throw new ValidationError(
      'A check shows one file. Check them one by one, or write their rows with --parsed FOLDER.',
    );
  const { open, reading } = await openFile(context, file, options);
  const found = await checkCompanies(await readCompanies(open(), reading), contractPricesMicro);
  const vendors = await estimateVendorCosts(context, found.companies, options.source);
  context.output.result({ ...checkJson(found), vendors }, () => checkText(found, file, vendors));
  // Duplicates cost nothing, so that `check FILE && enrich FILE` goes on.
  const duplicates = options.strict === true ? found.rows.duplicates : 0;
  const remarks = found.rows.rejected + found.rows.withWarnings + duplicates;
  const findings = remarks + found.form.findings.length;
  return findings === 0 ? exitCodes.done : exitCodes.someFailed;
};

function checkJson(found: CompanyCheck) {
  return {
    ...found,
    costMicro: undefined,
    credits: { floor: creditsNumber(found.costMicro.floor), ceiling: creditsNumber(found.costMicro.ceiling) },
  };
}

const delimiterNames: Readonly<Record<string, string>> = {
  ',': 'comma',
  ';': 'semicolon',
  '\t': 'tab',
  '|': 'pipe',
};

function checkText(
  { form, rows, companies, addresses, costMicro, ...found }: CompanyCheck,
  file: string,
  vendors: readonly VendorCost[],
): string {
  const unit = placeUnit(form.format);
  return [
    `File       ${file}: ${describeForm(form)}`,
    ...(form.linesAbove === 0 ? [] : [`Above      ${form.linesAbove} ${unit}s above the header, left out`]),
    `Columns    ${describeUsed(form)}`,
    ...form.unused.map(
      (column, index) => `${index === 0 ? 'Not used' : '        '}   ${describeUnused(column)}`,
    ),
    `Rows       ${rows.total}: ${rows.rejected} rejected, ${rows.withWarnings} with a warning`,
    ...(form.operations.includes('ads_search') ? [`Companies  ${companies}`] : []),
    ...(form.operations.includes('email_validation') ? [`Addresses  ${addresses}`] : []),
    `Repeated   ${rows.duplicates} rows, which add no lookup and cost nothing`,
    `Cost       0 to ${formatCredits(costMicro.ceiling)} credits: 0.2 for each company with ads, nothing for the others`,
    ...vendorCostLines(vendors),
    ...form.findings.map((finding) => `Finding    ${finding}`),
    ...remarks('Rejected', found.rejected, { total: rows.rejected, unit }),
    ...remarks('Warnings', found.warnings, { total: rows.withWarnings, unit }),
  ].join('\n');
}

/** Describes format and form of a file: `utf-8, comma, gzip`, or `Excel workbook, sheet "Leads"`. */
function describeForm({ format, sheet, encoding, delimiter, containers }: FileForm): string {
  const parts =
    encoding === null || delimiter === null
      ? [formatLabels[format], ...(sheet === null ? [] : [`sheet ${JSON.stringify(sheet)}`])]
      : [encoding, delimiterNames[delimiter] ?? delimiter];
  return [...parts, ...containers].join(', ');
}

function remarks(
  title: string,
  shown: CompanyCheck['rejected'],
  { total, unit }: { readonly total: number; readonly unit: PlaceUnit },
): readonly string[] {
  if (total === 0) return [];
  const lines = shown.slice(0, remarksShown).map((row) => `  ${unit} ${row.lineNo}: ${row.text}`);
  const more = total > remarksShown ? [`  … and ${total - remarksShown} more`] : [];
  return [`${title}:`, ...lines, ...more];
}
