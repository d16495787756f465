import { createContext, type ReactNode, use, useMemo, useState } from 'react'
import { useCurrentUser } from '#/data/current-user.ts'
import { PageLink } from '#/kit/links/PageLink.tsx'
import { instanceLinkIn } from '#/features/instances/links.ts'
import { Tooltip } from '#/ui/overlays/Tooltip.tsx'
import type { SledUse } from '../queries.ts'
import { type Pointed, sledsWith } from './lit.ts'

const PointContext = createContext<(pointed: Pointed | undefined) => void>(() => undefined)
const LitContext = createContext<ReadonlySet<string>>(new Set())

/** Wraps a rack and the lists beside it: pointing at an item in one highlights its sleds in the other. */
export function RackLights({ uses, children }: { uses: readonly SledUse[]; children: ReactNode }) {
  const [pointed, setPointed] = useState<Pointed>()
  const lit = useMemo(() => sledsWith(uses, pointed), [uses, pointed])
  return (
    <PointContext value={setPointed}>
      <LitContext value={lit}>{children}</LitContext>
    </PointContext>
  )
}

export const useLitSleds = (): ReadonlySet<string> => use(LitContext)

/** Handlers for an element that represents an instance or a group. */
function usePointsAt(pointed: Pointed) {
  const setPointed = use(PointContext)
  const point = () => setPointed(pointed)
  const leave = () => setPointed(undefined)
  return { onPointerEnter: point, onPointerLeave: leave, onFocus: point, onBlur: leave }
}

interface Props {
  pointed: Pointed
  /** The owner. */
  tip: string
  children: ReactNode
}

/** A name that highlights sleds. A button, so that the keyboard reaches it too. */
export function PointChip({ pointed, tip, children }: Props) {
  return (
    <Tooltip content={tip}>
      <button
        type="button"
        className="relative inline-flex h-6 max-w-full items-center rounded-tag border border-line bg-raised px-1.5 text-xs text-text coarse:after:absolute coarse:after:-inset-y-2.5 coarse:after:inset-x-0"
        {...usePointsAt(pointed)}
      >
        <span className="truncate">{children}</span>
      </button>
    </Tooltip>
  )
}

interface CellProps {
  instance: SledUse['instances'][number]
  /** Of the largest of its sled, up to 1. */
  share: number
}

/** An instance among many, for the pointer only: the names beside it are for the keyboard. */
export function PointCell({ instance, share }: CellProps) {
  const { id, name, siloName, projectName, ncpus } = instance
  return (
    <span
      title={`${name} (${siloName} / ${projectName}), ${ncpus} vCPU`}
      className="size-3.5 rounded-[2px] bg-idle-fill hover:bg-accent-edge"
      style={{ opacity: 0.3 + 0.7 * share }}
      {...usePointsAt({ instance: id })}
    />
  )
}

interface NameProps {
  instance: { id: string; name: string; projectName: string; siloName: string }
  /** Shown above the name. */
  children?: ReactNode
}

/** An instance's name, which highlights its sleds if the rack is on screen. */
export function InstanceName({ instance, children }: NameProps) {
  const { siloName } = useCurrentUser()
  const link = instanceLinkIn(siloName, instance)
  return (
    <div {...usePointsAt({ instance: instance.id })}>
      {children}
      {link ? (
        <PageLink {...link} className="link">
          {instance.name}
        </PageLink>
      ) : (
        <span className="font-medium text-strong">{instance.name}</span>
      )}
    </div>
  )
}
