import { useEffect, useRef, useState } from 'react'
import { namesTouched } from './merge.ts'
import type { Rule } from './rule.ts'

/** Longer than the wash of a row, so that it ends by itself. */
const washMs = 2000
const none: ReadonlySet<string> = new Set()

/** Names of the rules that have changed a moment ago. Ids would not do: a saved list has new ones for all of them. */
export function useTouched(rules: readonly Rule[]): ReadonlySet<string> {
  const last = useRef(rules)
  const [touched, setTouched] = useState(none)
  useEffect(() => {
    const names = last.current === rules ? [] : namesTouched(last.current, rules)
    last.current = rules
    if (names.length === 0) return
    setTouched(new Set(names))
    const timer = setTimeout(() => setTouched(none), washMs)
    return () => clearTimeout(timer)
  }, [rules])
  return touched
}
