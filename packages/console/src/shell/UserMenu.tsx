import ChevronDown from 'lucide-react/icons/chevron-down'
import CircleHelp from 'lucide-react/icons/circle-help'
import LogOut from 'lucide-react/icons/log-out'
import Monitor from 'lucide-react/icons/monitor'
import Moon from 'lucide-react/icons/moon'
import Settings from 'lucide-react/icons/settings'
import Sun from 'lucide-react/icons/sun'
import { useCurrentUser } from '#/data/current-user.ts'
import { loadRecorder } from '#/data/recording/load.ts'
import { recording } from '#/data/recording/recording.ts'
import type { CurrentUser } from '#/data/session.ts'
import { PageLink } from '#/kit/links/PageLink.tsx'
import { loadWithRetry } from '#/ui/lazy-part.tsx'
import type { MenuEntry, MenuLinkProps } from '#/ui/overlays/Menu.tsx'
import { MenuButton } from '#/ui/overlays/MenuButton.tsx'
import { getTheme, setTheme, type Theme } from '#/ui/theme.ts'
import { signOutOrSay } from './sign-out.tsx'

export function UserMenu() {
  const user = useCurrentUser()
  const name = user.displayName || 'User'
  return (
    <MenuButton entries={() => userMenuEntries(user)} align="end" label="User menu">
      {(trigger) => (
        <button
          {...trigger}
          className="wash flex h-8 items-center gap-2 rounded-control pr-1.5 pl-1 text-sm font-medium coarse:h-11 max-md:size-11 max-md:justify-center max-md:p-0"
        >
          <span className="sr-only">User menu</span>
          <Avatar name={name} />
          <span className="max-w-48 truncate max-md:sr-only">{name}</span>
          <ChevronDown aria-hidden strokeWidth={1.75} className="size-3.5 max-md:hidden" />
        </button>
      )}
    </MenuButton>
  )
}

/** The initials of a name. The full name is beside it, or names the button around it. */
function Avatar({ name }: { name: string }) {
  return (
    <span
      aria-hidden
      className="grid size-6 shrink-0 place-items-center rounded-full bg-muted text-[0.6875rem] leading-none font-semibold text-page"
    >
      {initials(name)}
    </span>
  )
}

function initials(name: string) {
  const words = name.split(/[\s._@-]+/).filter(Boolean)
  const letters = words.length > 1 ? [words[0], words.at(-1)] : [words[0]]
  return letters
    .map((word) => Array.from(word ?? '')[0] ?? '')
    .join('')
    .toUpperCase()
}

const themeChoices: { theme: Theme; label: string; icon: typeof Sun }[] = [
  { theme: 'system', label: 'System', icon: Monitor },
  { theme: 'light', label: 'Light', icon: Sun },
  { theme: 'dark', label: 'Dark', icon: Moon },
]

const userMenuEntries = ({ displayName, siloName }: CurrentUser): MenuEntry[] => [
  {
    heading: (
      <>
        {displayName || 'User'}
        <span className="block">{siloName}</span>
      </>
    ),
  },
  {
    label: 'Settings',
    icon: <Settings aria-hidden strokeWidth={1.75} />,
    link: (props: MenuLinkProps) => <PageLink to="/settings/profile" {...props} />,
  },
  {
    label: 'Documentation',
    icon: <CircleHelp aria-hidden strokeWidth={1.75} />,
    link: (props: MenuLinkProps) => <PageLink to="/docs" {...props} />,
  },
  // Afterwards, the mark in the beam has the next step.
  ...(recording.get() === 'off'
    ? [
        {
          label: 'Record session',
          icon: (
            <svg aria-hidden viewBox="0 0 24 24" className="text-danger" fill="currentColor">
              <circle cx="12" cy="12" r="6" />
            </svg>
          ),
          onSelect: () => void loadWithRetry(loadRecorder).then(({ stepRecording }) => stepRecording()),
        },
      ]
    : []),
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
    onSelect: () => void signOutOrSay(),
  },
]
