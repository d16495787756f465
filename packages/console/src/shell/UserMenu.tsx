import { ChevronDown, LogOut, Monitor, Moon, Sun } from 'lucide-react'
import { signOut, useCurrentUser } from '../data/current-user.ts'
import { Avatar } from '../ui/Avatar.tsx'
import type { MenuEntry } from '../ui/Menu.tsx'
import { MenuButton } from '../ui/MenuButton.tsx'
import { getTheme, setTheme, type Theme } from '../ui/theme.ts'

const themeChoices: { theme: Theme; label: string; icon: typeof Sun }[] = [
  { theme: 'system', label: 'System', icon: Monitor },
  { theme: 'light', label: 'Light', icon: Sun },
  { theme: 'dark', label: 'Dark', icon: Moon },
]

export function UserMenu() {
  const { displayName, siloName } = useCurrentUser()
  const name = displayName || 'User'
  const entries = (): MenuEntry[] => [
    {
      heading: (
        <>
          {name}
          <span className="block">{siloName}</span>
        </>
      ),
    },
    'rule',
    { heading: 'Theme' },
    ...themeChoices.map(({ theme, label, icon: Icon }) => ({
      label,
      icon: <Icon aria-hidden strokeWidth={1.75} />,
      checked: getTheme() === theme,
      onSelect: () => setTheme(theme),
    })),
    'rule',
    {
      label: 'Sign out',
      icon: <LogOut aria-hidden strokeWidth={1.75} />,
      onSelect: () => void signOut(),
    },
  ]
  return (
    <MenuButton entries={entries} align="end" label="User menu">
      {(trigger) => (
        <button
          {...trigger}
          aria-label="User menu"
          className="wash flex h-8 items-center gap-2 rounded-control pr-1.5 pl-1 text-sm font-medium max-md:size-11 max-md:justify-center max-md:p-0"
        >
          <Avatar name={name} />
          <span className="max-w-48 truncate max-md:hidden">{name}</span>
          <ChevronDown aria-hidden strokeWidth={1.75} className="size-3.5 max-md:hidden" />
        </button>
      )}
    </MenuButton>
  )
}
