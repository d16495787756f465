/** What asks for plans, loaded with the first question. */
export const loadAsking = () => import('./ask-plan.ts')
