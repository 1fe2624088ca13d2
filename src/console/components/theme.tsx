import { signal, effect } from '@preact/signals';

const kept = 'nightshift-theme';
const themes = ['auto', 'light', 'dark'] as const;
type Theme = (typeof themes)[number];

const theme = signal<Theme>(themes.find((each) => each === localStorage.getItem(kept)) ?? 'auto');
const machine = matchMedia('(prefers-color-scheme: dark)');
const isMachineDark = signal(machine.matches);
machine.addEventListener('change', ({ matches }) => void (isMachineDark.value = matches));
effect(() => {
  const ofMachine = isMachineDark.value ? 'dark' : 'light';
  document.documentElement.dataset['theme'] = theme.value === 'auto' ? ofMachine : theme.value;
  localStorage.setItem(kept, theme.value);
});

const names: Readonly<Record<Theme, string>> = { auto: 'Automatic', light: 'Light', dark: 'Dark' };

/** Light, dark, or as the machine has it; remembered in this browser. */
export function ThemeChoice() {
  return (
    <label class="theme">
      <span class="hidden">Colours</span>
      <select
        value={theme.value}
        onChange={({ currentTarget }) => {
          theme.value = themes.find((each) => each === currentTarget.value) ?? 'auto';
        }}
      >
        {themes.map((each) => (
          <option key={each} value={each}>
            {names[each]}
          </option>
        ))}
      </select>
    </label>
  );
}
