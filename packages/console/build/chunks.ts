import type { Rolldown } from 'vite'

type Graph = Rolldown.ChunkingContext

/** The module that each of the two applications begins with, and the page that opens one of them. */
interface Applications {
  page: string
  console: string
  signIn: string
}

/** With the few lines that the bundler adds, which every chunk needs. */
const react = /node_modules\/(react|react-dom|scheduler)\/|^\0rolldown\/runtime/
/** Large and rarely opened: each stays alone in the chunk that its `import()` makes. */
const heavy = /@xterm|features\/instances\/serial\/(?!CliCommand|stream-url)|serial-console\.tsx\?/
const forms = /react-hook-form|features\/common\/forms\/(?!use-close|UnsavedGuard)/
/** The component of a page, which the router's plugin splits off its route file, unless it is a form. */
const page = /(?<!-new|-add|edit|\{-\$\w+\})\.tsx\?tsr-split=/
const formPage = /(-new|-add|edit|\{-\$\w+\})\.tsx\?tsr-split=/
/** Pages below one object of a project or silo; all others are lists or as light as one. */
const detail = /\$(?!project)\w+.*\?tsr-split=/

const areas: readonly (readonly [name: string, paths: RegExp])[] = [
  ['audit', /\/audit(-log)?[/.]/],
  ['inventory', /\/inventory\//],
  // One area, because its pages share cards that would otherwise be in the shell.
  ['capacity', /\/(system-ip-pools|system\/networking)\/|\/utilization[./]/],
  ['map', /\/vpcs\/map\/|\/map\.tsx\?/],
  ['security', /\/(second-factor|password)\/|settings\/(security|profile)\./],
  ['settings', /\/(settings|access-tokens|sessions|_?ssh-keys)\//],
  ['networking', /\/(firewall|addresses|ip-pools|_?vpcs|_floating-ips)\//],
  ['instances', /\/(instances|instance-page|instance-create|lookup)\/|\/instances-new/],
  ['storage', /\/(_?disks|_?snapshots|_?images)\//],
  ['affinity', /\/_?affinity\//],
  ['projects', /\/_?projects\/(?!\$)|features\/projects\//],
  ['silos', /\/_?silos[/.]/],
  ['people', /\/_?people\//],
  ['access', /\/access[./]/],
  ['system', /\/system\/(index|issues|route)\.|features\/system\//],
]

/** Most people never open these pages, so what several of them share is fetched with them alone. */
const isOfOperators = (root: string): boolean => /routes\/_console\/system\//.test(root)

const areaOf = (id: string): string | undefined => areas.find(([, paths]) => paths.test(id))?.[0]

/**
 * Sorts modules into few chunks, so that a page needs few requests: React, libraries, what both applications share, the
 * shell with all that pages share, the forms' machinery, and for each area its pages and its forms. A module belongs to
 * the area whose pages alone import it, whatever its folder, so that no two chunks import each other.
 */
export function chunks(applications: Applications): Rolldown.CodeSplittingGroup {
  function chunkOf(id: string, graph: Graph): string | null {
    if (heavy.test(id)) return null
    if (react.test(id)) return 'react'
    if (forms.test(id)) return 'forms'
    const all = [...rootsOf(id, graph)]
    const roots = all.filter((root) => !heavy.test(root))
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

    // A part of the design system that one area alone uses goes with it too.
    const isOfOne = isOfFeature.test(id) || areaOfAll(needs) !== undefined
    const ofArea = (users: readonly string[]) => (isOfOne ? areaOfAll(users) : undefined)
    const pages = needs.filter((root) => page.test(root) || formPage.test(root))
    // A page that needs one module of another area would fetch all of that area.
    if (lists.length > 0) return ofArea(pages) ?? (pages.every(isOfOperators) ? 'operators' : 'shell')
    const details = needs.filter((root) => page.test(root))
    const formPages = needs.filter((root) => formPage.test(root))
    if (details.length > 0)
      return (formPages.length === 0 && suffixed(ofArea(details), '-details')) || 'details'
    if (formPages.length > 0) return suffixed(ofArea(formPages), '-forms') ?? 'forms'
    return suffixed(ofArea(needs), '-dialogs') ?? (needs.every(areaOf) ? 'dialogs' : 'overlays')
  }
  return { name: chunkOf, debugName: 'chunks', includeDependenciesRecursively: false }
}

const isOfFeature = /src\/(features\/(?!common)|routes)/

function areaOfAll(roots: readonly string[]): string | undefined {
  const [first, ...others] = new Set(roots.map(areaOf))
  return others.length === 0 ? first : undefined
}

const suffixed = (area: string | undefined, suffix: string) => area && `${area}${suffix}`

/** Also the steps that follow a password, and the dialog that asks for one again. */
const isOfSignIn = (root: string, graph: Graph): boolean =>
  /\/sign-in\/|SignInDialog\.tsx$/.test(root) ||
  importersOf(root, graph).dynamicImporters.every((each) => /\/sign-in\//.test(each))

/** The modules fetched by an `import()` or by the page that need this one; forms hand on nothing to what they are in. */
function rootsOf(id: string, graph: Graph): Set<string> {
  const seen = new Set([id])
  const roots = new Set<string>()
  // A set also visits what is added to it meanwhile.
  for (const each of seen) {
    const { importers, dynamicImporters, isEntry } = importersOf(each, graph)
    if (isEntry || dynamicImporters.length > 0) roots.add(each)
    if (each !== id && forms.test(each)) continue
    for (const importer of importers) seen.add(importer)
  }
  return roots
}

interface Known {
  importers: readonly string[]
  dynamicImporters: readonly string[]
  isEntry: boolean
}

const known = new Map<string, Known>()

function importersOf(id: string, graph: Graph): Known {
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
