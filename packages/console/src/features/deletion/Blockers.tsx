// @chunk deletion-pages: of the plans of four kinds, which few users open.
import { protectedKinds, type ProtectedKind } from '@gantry/api/history/protection.rules'
import TriangleAlert from 'lucide-react/icons/triangle-alert'
import { useState } from 'react'
import type { LinkTarget } from '#/kit/links/link-target.ts'
import { PageLink } from '#/kit/links/PageLink.tsx'
import { Button, buttonClass } from '#/ui/Button.tsx'
import { formatNumber } from '#/ui/data/format.ts'
import { lazyPart } from '#/ui/lazy-part.tsx'
import type { Blocker } from './queries.ts'

const TakeOffDialog = lazyPart(() => import('#/features/protection/ProtectionDialogs.tsx'), 'TakeOffDialog')

interface Props {
  blockers: readonly Blocker[]
  linkOf?: ((kind: string, name: string) => LinkTarget | undefined) | undefined
  onSettled: () => void
}

/** Everything that is in the way, in one block, each with its way out. */
export function Blockers({ blockers, linkOf, onSettled }: Props) {
  const [opened, setOpened] = useState<Blocker>()
  const [object] = opened?.first ?? []
  const kind = protectedKindOf(opened?.kind)
  if (blockers.length === 0) return null
  const heading =
    blockers.length === 1 ? '1 thing is in the way' : `${formatNumber(blockers.length)} things are in the way`
  return (
    <section
      aria-label="In the way"
      className="rounded-block border border-busy-edge bg-busy-tint text-sm leading-5 text-strong"
    >
      <h2 className="flex items-center gap-2.5 px-3.5 py-2 text-base font-semibold">
        <TriangleAlert aria-hidden strokeWidth={1.75} className="size-4 shrink-0 text-busy-fill" />
        {heading}
      </h2>
      <ul>
        {blockers.map((blocker) => {
          const [first] = blocker.first
          const link = blocker.count === 1 && first ? linkOf?.(blocker.kind, first.name) : undefined
          const isProtected = blocker.cause === 'protected' && first && protectedKindOf(blocker.kind)
          return (
            <li
              key={`${blocker.cause} ${blocker.kind} ${first?.id ?? ''}`}
              className="flex flex-wrap items-center gap-x-3 gap-y-2 border-t border-busy-edge px-3.5 py-2"
            >
              <span className="min-w-48 flex-1 wrap-anywhere">
                {`${blocker.message}. `}
                <span className="text-text">{blocker.help}</span>
              </span>
              {link && (
                <PageLink {...link} className={buttonClass()}>
                  Open
                </PageLink>
              )}
              {isProtected && <Button onClick={() => setOpened(blocker)}>Take protection off</Button>}
            </li>
          )
        })}
      </ul>
      {object && kind && (
        <TakeOffDialog
          kind={kind}
          object={object}
          protection={undefined}
          onClose={() => {
            setOpened(undefined)
            onSettled()
          }}
        />
      )}
    </section>
  )
}

const protectedKindOf = (kind: string | undefined): ProtectedKind | undefined =>
  protectedKinds.find((one) => one === kind)
