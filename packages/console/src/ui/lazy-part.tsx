import { type ComponentType, lazy, type ReactNode, Suspense } from 'react'

type LazyPart<Props> = ((props: Props) => ReactNode) & {
  /**
   * Loads the code early, so that the part opens at once, even if the server is gone by then. Not named `preload`,
   * because the router calls that of every route before it shows the page.
   */
  prefetch: () => Promise<void>
}

/** Of one component of a module, which may have several. */
type PropsOf<Part> = Part extends (props: infer Props extends object) => ReactNode ? Props : object

/**
 * A heavy part of a screen, such as a dialog's form, a terminal or a map, whose code loads on first use.
 * `placeholder` reserves its room until then.
 */
export function lazyPart<Name extends string, Module extends Record<Name, (props: never) => ReactNode>>(
  load: () => Promise<Module>,
  name: Name,
  placeholder?: ReactNode,
): LazyPart<PropsOf<Module[Name]>> {
  let prefetched: Module | undefined
  const Part = lazy(async () => {
    // Code that is there already shows at once, without the placeholder before it.
    const part: unknown = (prefetched ?? (await loadWithRetry(load)))[name]
    // `Shown` passes it only what `PropsOf` derives from it.
    return { default: part as ComponentType<object> }
  })
  const Shown = (props: PropsOf<Module[Name]>): ReactNode => (
    <Suspense fallback={placeholder}>
      <Part {...props} />
    </Suspense>
  )
  const prefetch = (): Promise<void> => load().then((module) => void (prefetched = module), ignore)
  return Object.assign(Shown, { prefetch })
}

/** After a failed prefetch, the part loads with retries when shown. */
const ignore = (): void => undefined

/** Loads code once the page has nothing else to do: what it shows first must not wait for it. */
export const afterPaint =
  <Code,>(load: () => Promise<Code>) =>
  async (): Promise<Code> => {
    await new Promise<void>((resolve) => {
      // Between the parts of a long render there is a frame, but no idle time. Safari has no such callback.
      if ('requestIdleCallback' in globalThis) requestIdleCallback(() => resolve(), { timeout: 2000 })
      else setTimeout(resolve, 300)
    })
    return load()
  }

const retryMs = 2000
let onMissingPart = (): void => undefined

/** Sets the callback for code that has failed to load for a while. */
export const whenPartIsMissing = (run: () => void): void => {
  onMissingPart = run
}

/**
 * Loads code with retries until it arrives: a short outage must not leave a page without its parts. Some browsers
 * cache a module's failure; there only a reload helps, which `whenPartIsMissing` is for.
 */
export const loadWithRetry = <Code,>(load: () => Promise<Code>, failures = 0): Promise<Code> =>
  load().catch(async () => {
    if (failures > 1) onMissingPart()
    await new Promise((resolve) => setTimeout(resolve, retryMs))
    return loadWithRetry(load, failures + 1)
  })
