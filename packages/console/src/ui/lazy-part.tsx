import { type ComponentType, lazy, type ReactNode, Suspense } from 'react'

type LazyPart<Props> = ((props: Props) => ReactNode) & {
  /**
   * Fetches the code early, so that the part opens at once, also when the server has gone by then. Not called
   * `preload`: the router calls that of every route before it shows the page.
   */
  prefetch: () => Promise<void>
}

/**
 * A heavy part of a screen, such as a dialog's form, a terminal or a map: its code is fetched when it is first shown.
 * `placeholder` keeps its room until then.
 */
export function lazyPart<Name extends string, Props extends object>(
  load: () => Promise<Record<Name, ComponentType<Props>>>,
  name: Name,
  placeholder?: ReactNode,
): LazyPart<Props> {
  const Part = lazy(async () => ({ default: (await loadWithRetry(load))[name] as ComponentType<object> }))
  const Shown = (props: Props): ReactNode => (
    <Suspense fallback={placeholder}>
      <Part {...props} />
    </Suspense>
  )
  return Object.assign(Shown, { prefetch: () => load().then(ignore, ignore) })
}

/** A part that cannot be prefetched is loaded, with retries, when it is shown. */
const ignore = (): void => undefined

const retryMs = 2000
let onMissingPart = (): void => undefined

/** Sets what runs each time that code has failed to load for a while. */
export const whenPartIsMissing = (run: () => void): void => {
  onMissingPart = run
}

/**
 * Loads code, and retries until it arrives: the parts of a page must not stay away because the server was gone for a
 * moment. Some browsers remember that a module failed; there only a reload helps, which `whenPartIsMissing` is for.
 */
export const loadWithRetry = <Code,>(load: () => Promise<Code>, failures = 0): Promise<Code> =>
  load().catch(async () => {
    if (failures > 1) onMissingPart()
    await new Promise((resolve) => setTimeout(resolve, retryMs))
    return loadWithRetry(load, failures + 1)
  })
