import ChevronDown from 'lucide-react/icons/chevron-down'
import { useCurrentUser } from '#/data/current-user.ts'
import { Avatar } from '#/ui/Avatar.tsx'
import { MenuButton } from '#/ui/MenuButton.tsx'
import { userMenuEntries } from './user-menu-entries.tsx'

export function UserMenu() {
  const user = useCurrentUser()
  const name = user.displayName || 'User'
  return (
    <MenuButton entries={() => userMenuEntries(user)} align="end" label="User menu">
      {(trigger) => (
        <button
          {...trigger}
          className="wash flex h-8 items-center gap-2 rounded-control pr-1.5 pl-1 text-sm font-medium max-md:size-11 max-md:justify-center max-md:p-0"
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
