import { signal, effect } from '@preact/signals';
import { SelectField } from './forms/select-field.tsx';

const storageKey = 'nightshift-theme';
const themes = ['auto', 'light', 'dark'] as const;
type Theme = (typeof themes)[number];

const theme = signal<Theme>(themes.find((each) => each === localStorage.getItem(storageKey)) ?? 'auto');
const systemQuery = matchMedia('(prefers-color-scheme: dark)');
const isSystemDark = signal(systemQuery.matches);
systemQuery.addEventListener('change', ({ matches }) => void (isSystemDark.value = matches));
effect(() => {
  const systemTheme = isSystemDark.value ? 'dark' : 'light';
  document.documentElement.dataset['theme'] = theme.value === 'auto' ? systemTheme : theme.value;
  localStorage.setItem(storageKey, theme.value);
});

const names: Readonly<Record<Theme, string>> = { auto: 'System', light: 'Light', dark: 'Dark' };

/** Choice of the theme: light, dark or that of the system. Stored in this browser. */
export function ThemeChoice() {
  return (
    <SelectField
      label="Theme"
      values={themes}
      nameOf={(each) => names[each]}
      value={theme.value}
      onSelect={(each) => void (theme.value = each)}
    />
  );
}
