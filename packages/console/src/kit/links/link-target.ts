import type { FileRoutesByPath, ResolveParams } from '@tanstack/react-router'

/** The generated route tree extends this interface of the router, so that links need not import all pages. */
type FullPath = FileRoutesByPath[keyof FileRoutesByPath]['fullPath']
type WithoutEndSlash<Path> = Path extends `${infer Start extends `/${string}`}/` ? Start : Path

/** The path of a page as the router knows it: `/projects/$project/disks`. */
export type PagePath = WithoutEndSlash<FullPath>

type LinkOf<Path extends PagePath> = {
  to: Path
  search?: Record<string, string>
  hash?: string
} & (keyof ResolveParams<Path> extends never ? { params?: undefined } : { params: ResolveParams<Path> })

/** A page of the console: its path, with a value for each parameter. The router's `navigate` takes the same. */
export type LinkTarget = { [Path in PagePath]: LinkOf<Path> }[PagePath]

/** The names of the parameters in a path. */
export type ParamOf<Path extends PagePath> = keyof ResolveParams<Path>

interface Loose {
  to: PagePath
  params?: Readonly<Record<string, string | undefined>> | undefined
  search?: Readonly<Record<string, string>>
}

/** The path and query of a page. Omits the segment of an optional parameter without a value. */
export function hrefOf({ to, params = {}, search }: Loose): string {
  const path = to
    .replace(/\/\{-\$(\w+)\}/, (_, name: string) => (params[name] ? `/$${name}` : ''))
    .replace(/\$(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ''))
  return search ? `${path}?${new URLSearchParams(search).toString()}` : path
}
