import { useEffect, useRef, useState } from 'react'
import { namesTouched } from './merge.ts'
import type { Rule } from './rule.ts'

/** Longer than a row's highlight animation, so that the animation can finish. */
const washMs = 2000
const none: ReadonlySet<string> = new Set()

/** Names of the rules that changed a moment ago. Ids would not do: saving a list gives new ids to all rules. */
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
