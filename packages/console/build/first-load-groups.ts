import type { Rolldown } from 'vite'

type Holds = (module: string, context: Rolldown.ChunkingContext) => boolean

/** The main script and the two applications that it opens, by the module that each begins with. */
interface Applications {
  main: string
  console: string
  signIn: string
}

const react = /node_modules\/(react|react-dom|scheduler)\//
/** Only forms ask before they are left. */
const libraries = /node_modules\/(use-sync-external-store|@tanstack)\/(?!.*\/useBlocker\.js)/
/** Of the operations in it each page needs a few, and from here one cannot see which. */
const allOperations = /client\/operations\.gen\.ts$/

/**
 * The files of first loads: what both applications need, and what the console adds. The rest of signing in is shared
 * with forms and dialogs here and there, and left to the bundler. Libraries are apart, because they change
 * rarely and stay in caches from release to release. Left to itself the bundler cuts all of it into dozens, which
 * compress badly. Pages of signing in import operations from the files these are in, so that it is known here which are
 * theirs; the few others of the console's first load go with those who import them.
 */
export function firstLoadGroups(applications: Applications) {
  const main = needsOf(applications.main)
  const signIn = needsOf(applications.signIn)
  const console = needsOf(applications.console, allOperations)
  const anyOfConsole = needsOf(applications.console)
  const common: Holds = (...module) => anyOfConsole(...module) && (signIn(...module) || main(...module))
  return [
    { name: 'react', test: react, priority: 5 },
    { name: named('common', common), priority: 4 },
    { name: named('libraries', (module, at) => libraries.test(module) && console(module, at)), priority: 3 },
    // And what it is made of, which the bundler knows better: here also what is imported for nothing counts.
    { name: 'console', test: (module: string) => module === applications.console, priority: 1 },
  ]
}

const named = (name: string, holds: Holds) => (module: string, context: Rolldown.ChunkingContext) =>
  holds(module, context) ? name : null

/** What a module is made of, itself included; looked up when it is first asked for, because then all is known. */
function needsOf(first: string, except?: RegExp): Holds {
  let needs: Set<string> | undefined
  return (module, graph) => {
    if (!needs) {
      needs = new Set([first])
      // A set goes on with what is added to it meanwhile.
      for (const each of needs) {
        if (!except?.test(each))
          for (const imported of graph.getModuleInfo(each)?.importedIds ?? []) needs.add(imported)
      }
    }
    return needs.has(module)
  }
}
