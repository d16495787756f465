import { createContext, type ReactNode, use, useMemo, useState } from 'react'
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
export function usePointsAt(pointed: Pointed) {
  const setPointed = use(PointContext)
  const point = () => setPointed(pointed)
  const leave = () => setPointed(undefined)
  return { onPointerEnter: point, onPointerLeave: leave, onFocus: point, onBlur: leave }
}
