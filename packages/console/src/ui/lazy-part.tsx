import { type ComponentType, lazy, type ReactNode, Suspense } from 'react'
import { patiently } from './late.ts'

/**
 * A heavy part of a screen, such as a dialog's form, a terminal or a map: its code is fetched when it is first shown.
 * `placeholder` keeps its room until then.
 */
export function lazyPart<Name extends string, Props extends object>(
  load: () => Promise<Record<Name, ComponentType<Props>>>,
  name: Name,
  placeholder?: ReactNode,
): ComponentType<Props> {
  const Part = lazy(async () => ({ default: (await patiently(load))[name] as ComponentType<object> }))
  return (props) => (
    <Suspense fallback={placeholder}>
      <Part {...props} />
    </Suspense>
  )
}
