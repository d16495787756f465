import type { Preview } from '@gantry/preview/start'
import { toast } from '#/ui/toast.ts'
import type { MenuEntry } from '#/ui/Menu.tsx'

const delays = [
  { value: 'off', label: 'No delay' },
  { value: 'on', label: '200 to 400 ms, at random' },
] as const
/** Selectable percentages; the address or a cookie may set any other. */
const chaosChoices = [0, 5, 20, 50]

/** Entries for the user, the latency and the failure rate of calls. */
export function menuEntries(
  { people, options }: Preview,
  become: (name: string) => Promise<void>,
): MenuEntry[] {
  const { user, delay, chaos } = options.current()
  const percentages = [...new Set([...chaosChoices, chaos])].toSorted((one, other) => one - other)
  return [
    { heading: 'Signed-in person' },
    ...people.map(({ name, role }) => ({
      label: `${role} (${name})`,
      checked: name === user,
      onSelect: () => void become(name).then(() => toast.success(`Signed in as ${name}`)),
    })),
    'rule',
    { heading: 'Delay per call' },
    ...delays.map(({ value, label }) => ({
      label,
      checked: value === delay,
      onSelect: () => options.choose({ delay: value }),
    })),
    'rule',
    { heading: 'Chaos' },
    ...percentages.map((share) => ({
      label: share === 0 ? 'No errors' : `${share} % of calls fail`,
      checked: share === chaos,
      onSelect: () => options.choose({ chaos: share }),
    })),
  ]
}
