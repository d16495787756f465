import { useEffect, useRef, useState } from 'react'
import { whenIdle } from '../../ui/late.ts'
import { createGate } from './gate.ts'
import type { RowAction } from './ResourceTable.tsx'

export type ActionsOf<Item> = (row: Item) => readonly (RowAction | 'rule')[]

/**
 * Row actions out of a component that is fetched when a menu is about to be opened, for lists whose actions are too
 * heavy for a first load. While `isWanted` the page renders that component, which offers its actions every time.
 */
export function useLateActions<Item>() {
  const [isWanted, setWanted] = useState(false)
  const latest = useRef<ActionsOf<Item>>(undefined)
  const [gate] = useState(createGate)
  useEffect(() => {
    whenIdle(() => setWanted(true))
  }, [])
  return {
    isWanted,
    offer: (actionsOf: ActionsOf<Item>): void => {
      latest.current = actionsOf
      gate.open()
    },
    actions: (row: Item) => latest.current?.(row) ?? [],
    prepare: (): Promise<void> | undefined => {
      if (latest.current) return undefined
      setWanted(true)
      return gate.opened
    },
  }
}
