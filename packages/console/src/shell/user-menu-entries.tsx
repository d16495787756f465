import LogOut from 'lucide-react/icons/log-out'
import Monitor from 'lucide-react/icons/monitor'
import Moon from 'lucide-react/icons/moon'
import Settings from 'lucide-react/icons/settings'
import Sun from 'lucide-react/icons/sun'
import type { CurrentUser } from '#/data/session.ts'
import { PageLink } from '#/features/common/PageLink.tsx'
import type { MenuEntry, MenuLinkProps } from '#/ui/Menu.tsx'
import { getTheme, setTheme, type Theme } from '#/ui/theme.ts'
import { signOutOrSay } from './sign-out.tsx'

const themeChoices: { theme: Theme; label: string; icon: typeof Sun }[] = [
  { theme: 'system', label: 'System', icon: Monitor },
  { theme: 'light', label: 'Light', icon: Sun },
  { theme: 'dark', label: 'Dark', icon: Moon },
]

export const userMenuEntries = ({ displayName, siloName }: CurrentUser): MenuEntry[] => [
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
