import ChevronsUpDown from 'lucide-react/icons/chevrons-up-down'
import { useCurrentUser } from '#/data/current-user.ts'
import { PageLink } from '#/kit/links/PageLink.tsx'
import type { MenuEntry, MenuLinkProps } from '#/ui/overlays/Menu.tsx'
import { MenuButton } from '#/ui/overlays/MenuButton.tsx'
import { type Area, areaHomes, useArea } from './area.ts'

const choices = [
  { area: 'system', label: 'System' },
  { area: 'silo', label: 'Silo' },
] as const

/** The current silo or area. Users who may see the fleet can switch; for others it is plain text. */
export function Scope() {
  const { siloName, fleetViewer } = useCurrentUser()
  const area = useArea()
  const lines = area === 'system' ? ['Operator', 'System'] : ['Silo', siloName]
  const text = (
    <span className="block min-w-0 grow">
      <span className="block text-xs leading-3.5 text-muted">{lines[0]}</span>
      <span className="block truncate text-sm leading-4 font-semibold text-strong">{lines[1]}</span>
    </span>
  )
  if (!fleetViewer) return <div className="min-w-0 grow px-2 max-lg:max-w-40">{text}</div>
  return (
    <MenuButton entries={() => choices.map((choice) => entryOf(choice, area))} label="Area">
      {(trigger) => (
        <button
          {...trigger}
          className="wash flex h-9 min-w-0 grow items-center gap-2 rounded-control px-2 text-left max-lg:max-w-40 coarse:h-11"
        >
          {text}
          <span className="sr-only">Switch between system and silo</span>
          <ChevronsUpDown aria-hidden strokeWidth={1.75} className="size-3.5 shrink-0" />
        </button>
      )}
    </MenuButton>
  )
}

const entryOf = ({ area, label }: (typeof choices)[number], current: Area): MenuEntry => ({
  label,
  checked: area === current,
  link: (props: MenuLinkProps) => (
    <PageLink {...areaHomes[area]} aria-current={area === current ? 'true' : undefined} {...props} />
  ),
})
