import type { Plugin } from 'vite'

/*
 * React DOM comes in one piece. Left out of the build are parts that this console has no use for, which are a tenth of
 * it and of every first load. Whoever begins to use one of them is told by an error, and takes it off the lists.
 */

/** What only these can reach. */
const leftOut = [
  // <ViewTransition>
  'startViewTransition',
  'restoreViewTransitionName',
  'createMeasurement',
  'measureViewTransitionHostInstancesRecursive',
  'applyViewTransitionToHostInstancesRecursive',
  // A ref on a fragment
  'validateDocumentPositionWithFiberTree',
  'commitNewChildToFragmentInstance',
  'deleteChildFromFragmentInstance',
  // Taking over markup that a server has rendered
  'updateDehydratedSuspenseComponent',
  'canHydrateInstance',
  'prepareToHydrateHostInstance',
  'clearHydrationBoundary',
  'hideOrUnhideDehydratedBoundary',
  'attemptExplicitHydrationTarget',
  'queueIfContinuousEvent',
  'accumulateOrCreateContinuousQueuedReplayableEvent',
  'attemptReplayContinuousQueuedEvent',
  // Style sheets, scripts and preloads as elements or by the functions of react-dom
  'acquireResource',
  'suspendResource',
  'preload',
  'preloadModule',
  'preloadStylesheet',
  'preinitStyle',
  'preinitScript',
  'preinitModuleScript',
  'insertStylesheet',
  'insertStylesheetIntoRoot',
  // <Activity>, <SuspenseList>, useActionState, functions as actions of forms, custom elements
  'updateActivityComponent',
  'updateSuspenseListComponent',
  'mountActionState',
  'updateActionStateImpl',
  'runActionStateAction',
  'dispatchActionState',
  'ensureFormComponentIsStateful',
  'setPropOnCustomElement',
]

/** What is asked of every page, and has nothing to find where the above is not used. */
const nothingToDo = [
  'commitEnterViewTransitions',
  'commitExitViewTransitions',
  'commitDeletedPairViewTransitions',
  'commitAppearingPairViewTransitions',
  'commitNestedViewTransitions',
  'measureNestedViewTransitions',
  // Whether an element of the head is a style sheet or a script; a title is none.
  'getResource',
  // Whether markup that a server has rendered is being taken over, and what has waited for that
  'popHydrationState',
  'retryIfBlockedOn',
]

const isReactDom = /react-dom\/cjs\/react-dom-client\.production\.js$/

export const lighterReact: Plugin = {
  name: 'lighter-react',
  apply: 'build',
  enforce: 'pre',
  transform(code, id) {
    if (!isReactDom.test(id)) return null
    let lighter = code
    for (const name of leftOut) lighter = replaceBody(lighter, name, 'throw Error("left out of the build")')
    for (const name of nothingToDo) lighter = replaceBody(lighter, name, 'return null')
    return lighter
      .replaceAll(/^FragmentInstance\.prototype\.\w+ = function [^]*?^};$/gm, '')
      .replace(/^exports\.hydrateRoot = function [^]*?^};$/m, '')
  },
}

/** Functions of the module begin and end at the beginning of a line. */
function replaceBody(code: string, name: string, body: string): string {
  const whole = new RegExp(`^function ${name}\\([^]*?^}$`, 'm')
  if (!whole.test(code))
    throw new Error(`React DOM has no function ${name} any more (build/lighter-react.ts).`)
  return code.replace(whole, `function ${name}() { ${body} }`)
}
