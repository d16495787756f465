import type { Rolldown } from 'vite'
import { areaOf, operationsChunk } from './areas.ts'
import { isApart, markedChunk } from './chunk-marks.ts'

type Graph = Rolldown.ChunkingContext

/** The entry module of each application, and the page that opens one of them. */
interface Applications {
  page: string
  console: string
  signIn: string
}

/** Includes the bundler's runtime helpers, which every chunk needs. */
const react = /node_modules\/(react|react-dom|scheduler)\/|^\0rolldown\/runtime/
const forms = /react-hook-form|kit\/forms\/(?!UnsavedGuard)/
/** A page component, split off its route file by the router's plugin, unless it is a form. */
const page = /(?<!(-new|edit)(\.\{-\$\w+\})?|-add|-upload)\.tsx\?tsr-split=/
const formPage = /((-new|edit)(\.\{-\$\w+\})?|-add|-upload)\.tsx\?tsr-split=/
/** Pages below one object of a project or silo. All other pages are lists, or as small as one. */
const detail = /\$(?!project)\w+.*\?tsr-split=/

/** Most users never open these pages, so their shared modules must not load with other pages. */
const isOfOperators = (root: string): boolean => /routes\/_console\/system\//.test(root)

/**
 * Groups modules into few chunks, so that a page needs few requests: React, libraries, code shared by both
 * applications, the shell with code shared by all pages, form code, and for each area its pages and its forms. A
 * module belongs to the area whose pages alone import it, whatever its folder, so no two chunks import each other.
 */
export function chunks(applications: Applications): Rolldown.CodeSplittingGroup {
  function chunkOf(id: string, graph: Graph): string | null {
    const marked = markedChunk(id) ?? operationsChunk(id)
    if (marked) return marked === 'apart' ? null : marked
    if (react.test(id)) return 'react'
    if (forms.test(id)) return 'forms'
    const all = [...rootsOf(id, graph)]
    const roots = all.filter((root) => !isApart(root))
    if (roots.length === 0) return all.length > 0 ? null : 'forms'
    const isIn = (root: string) => roots.includes(root)
    const needs = roots.filter((root) => root !== applications.page && !isOfSignIn(root, graph))
    const isInFirst = isIn(applications.page) || isIn(applications.signIn)
    if (needs.length === 0) {
      if (isIn(applications.signIn)) return 'sign-in'
      return isIn(applications.page) ? null : 'sign-in-steps'
    }
    const lists = needs.filter((root) => page.test(root) && !detail.test(root))
    const isInShell = isIn(applications.console)
    if (isInFirst) return 'common'
    if (isInShell) return id.includes('/node_modules/') ? 'libraries' : 'shell'

    // A design system component used by one area only belongs to that area too.
    const isOfOne = isOfFeature.test(id) || areaOfAll(needs) !== undefined
    const ofArea = (users: readonly string[]) => (isOfOne ? areaOfAll(users) : undefined)
    const pages = needs.filter((root) => page.test(root) || formPage.test(root))
    // A page that needs one module of another area would load that whole area.
    if (lists.length > 0) return ofArea(pages) ?? (pages.every(isOfOperators) ? 'operators' : 'shell')
    const details = needs.filter((root) => page.test(root))
    const formPages = needs.filter((root) => formPage.test(root))
    if (details.length > 0)
      return (formPages.length === 0 && suffixed(ofArea(details), '-details')) || 'details'
    if (formPages.length > 0) return suffixed(ofArea(formPages), '-forms') ?? 'forms'
    const ofDialogs = suffixed(ofArea(needs), '-dialogs') ?? (needs.every(areaOf) ? 'dialogs' : undefined)
    // For one icon that it shares with an overlay, a page would load all of them. Libraries of the control plane in the
    // page stay with it: otherwise its chunk and theirs would import each other.
    const isShared = id.includes('/node_modules/') && !needs.every((root) => isOfPreview.test(root))
    return ofDialogs ?? (isShared ? markedByAll(needs) : 'overlays')
  }
  return { name: chunkOf, debugName: 'chunks', includeDependenciesRecursively: false }
}

const isOfPreview = /\/console\/src\/preview\//
const isOfFeature = /src\/(features|routes)\//

function areaOfAll(roots: readonly string[]): string | undefined {
  const [first, ...others] = new Set(roots.map(areaOf))
  return others.length === 0 ? first : undefined
}

/** The chunk that all of these modules name: a library that only they use belongs there. */
function markedByAll(roots: readonly string[]): string | null {
  const [first, ...others] = new Set(roots.map(markedChunk))
  return (others.length === 0 && first) || null
}

const suffixed = (area: string | undefined, suffix: string) => area && `${area}${suffix}`

/** Its application and steps, without what the console's own pages have of the feature. */
const signIn = /\/sign-in\/(?!factors\/|password\/|device\/|renew\/)|SignInDialog\.tsx$/

/** Includes the steps after a password, and the dialog that asks for it again. */
const isOfSignIn = (root: string, graph: Graph): boolean =>
  signIn.test(root) || importersOf(root, graph).dynamicImporters.every((each) => signIn.test(each))

/**
 * The entry points, dynamic imports and pages, that need this module. A form does not count for the page that
 * contains it.
 */
function rootsOf(id: string, graph: Graph): Set<string> {
  const seen = new Set([id])
  const roots = new Set<string>()
  // Iterating a set also visits items added during the loop.
  for (const each of seen) {
    const { importers, dynamicImporters, isEntry } = importersOf(each, graph)
    if (isEntry || dynamicImporters.length > 0) roots.add(each)
    if (each !== id && forms.test(each)) continue
    for (const importer of importers) seen.add(importer)
  }
  return roots
}

interface DeferredValue {
  importers: readonly string[]
  dynamicImporters: readonly string[]
  isEntry: boolean
}

const known = new Map<string, DeferredValue>()

function importersOf(id: string, graph: Graph): DeferredValue {
  const before = known.get(id)
  if (before) return before
  const info = graph.getModuleInfo(id)
  const found = {
    importers: info?.importers ?? [],
    dynamicImporters: info?.dynamicImporters ?? [],
    isEntry: info?.isEntry ?? false,
  }
  known.set(id, found)
  return found
}
