import Menu from 'lucide-react/icons/menu'
import Search from 'lucide-react/icons/search'
import { useLiveState } from '#/data/live.ts'
import { PageLink } from '#/kit/links/PageLink.tsx'
import { togglePalette } from '#/kit/page/palette-items.ts'
import { Kbd } from '#/ui/Kbd.tsx'
import { Mark } from '#/ui/data/Mark.tsx'
import { areaHomes, useArea } from './area.ts'
import { Crumbs } from './Crumbs.tsx'
import { LiveNote } from './parts.tsx'
import { Scope } from './Scope.tsx'
import { useIdleParts } from './use-idle-parts.ts'
import { UserMenu } from './UserMenu.tsx'

const isApple = /mac|iphone|ipad/i.test(navigator.userAgent)

/** The top bar: breadcrumbs, user menu and palette. */
export function TopBar({ onOpenDrawer }: { onOpenDrawer: () => void }) {
  const area = useArea()
  return (
    <header
      data-print="hide"
      className="relative z-(--layer-beam) col-span-full flex items-center bg-beam pr-1.5 md:pr-gutter"
    >
      <button
        type="button"
        aria-label="Open navigation"
        className="wash ml-1.5 grid size-11 shrink-0 place-items-center rounded-control lg:hidden"
        onClick={onOpenDrawer}
      >
        <Menu aria-hidden strokeWidth={1.75} className="size-4" />
      </button>
      <div className="flex shrink-0 items-center gap-2 pl-3.5 max-md:hidden lg:w-rail">
        <PageLink {...areaHomes[area]} aria-label="Home" className="rounded-control">
          <Mark />
        </PageLink>
        <Scope />
      </div>
      <div className="flex min-w-0 grow items-center gap-2 md:pl-[calc(var(--gutter)-0.375rem)]">
        <Crumbs />
        <div className="flex shrink-0 items-center md:gap-2">
          <LiveStatus />
          <JumpTo />
          <Tasks />
          <UserMenu />
        </div>
      </div>
      {area === 'system' && <span aria-hidden data-hatch className="hatch absolute inset-x-0 top-full h-1" />}
    </header>
  )
}

/** Announces a lost connection. The glyph usually loads earlier; if it fails to, the label shows alone. */
function LiveStatus() {
  const isLost = useLiveState() === 'lost'
  return (
    <div role="status" className="shrink-0">
      {isLost && <LiveNote />}
    </div>
  )
}

/** Its code loads when the page is idle; its place is kept. */
function Tasks() {
  const idle = useIdleParts()
  return (
    <>
      {idle && <idle.RecordingMark />}
      <div className="flex min-w-8 justify-center coarse:min-w-11">{idle && <idle.TasksTray />}</div>
    </>
  )
}

function JumpTo() {
  return (
    <button
      type="button"
      aria-keyshortcuts={isApple ? 'Meta+K' : 'Control+K'}
      className="flex h-8 items-center gap-2 rounded-control text-sm text-muted coarse:h-11 max-lg:wash max-lg:size-11 max-lg:justify-center max-lg:text-text lg:w-68 lg:border lg:border-control-line lg:bg-page lg:pr-1.5 lg:pl-2.5"
      onClick={togglePalette}
    >
      <Search aria-hidden strokeWidth={1.75} className="size-4 shrink-0" />
      <span className="grow text-left max-lg:sr-only">Jump to</span>
      <span aria-hidden className="max-lg:hidden">
        <Kbd>{isApple ? '⌘ K' : 'Ctrl K'}</Kbd>
      </span>
    </button>
  )
}
