import fs from 'node:fs/promises'
import path from 'node:path'

/** One page of the console, as recorded by the build (tools/lib/page-reads.mjs). */
interface NotedPage {
  /** As in `/projects/$project/instances`. */
  path: string
  /** Addresses of the API, with parameters in braces: `/v1/instances?project={project}&limit=50`. */
  reads: readonly string[]
  files: readonly string[]
}

export interface PageReads {
  reads: readonly string[]
  /** Scripts that the page consists of, as addresses. */
  scripts: readonly string[]
}

/** Looks up what a page's first load reads, by its decoded path. A console built without the record has no such pages. */
export async function pageReads(directory: string): Promise<(pathname: string) => PageReads | undefined> {
  const pages = (await notedIn(directory)).map((page) => ({ page, segments: page.path.split('/') }))
  // Literal segments win over parameters: `/users/groups` over `/users/$user`.
  pages.sort((one, other) => paramsIn(one.segments) - paramsIn(other.segments))
  return (pathname) => {
    const given = pathname.split('/')
    const found = pages.find(({ segments }) => isAt(segments, given))
    return found && filledIn(found.page, found.segments, given)
  }
}

async function notedIn(directory: string): Promise<NotedPage[]> {
  try {
    return JSON.parse(await fs.readFile(path.join(directory, '.pages.json'), 'utf8')) as NotedPage[]
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}

const isAt = (segments: readonly string[], given: readonly string[]): boolean =>
  segments.length === given.length &&
  segments.every((segment, index) => segment === given[index] || (isParam(segment) && given[index] !== ''))

const isParam = (segment: string): boolean => segment.startsWith('$')

const paramsIn = (segments: readonly string[]): number => segments.filter(isParam).length

function filledIn(
  { reads, files }: NotedPage,
  segments: readonly string[],
  given: readonly string[],
): PageReads {
  const params = new Map(segments.map((segment, index) => [segment.slice(1), given[index] ?? '']))
  const fill = (_: string, name: string): string => encodeURIComponent(params.get(name) ?? '')
  return {
    reads: reads.map((read) => read.replaceAll(/\{(\w+)\}/g, fill)),
    scripts: files.map((file) => `/${file}`),
  }
}
