/** What shows code, loaded when it is first asked for. */
export const loadCode = () => import('./show-code.tsx')
