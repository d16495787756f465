// @chunk form-parts: of forms and of what stands beside them, neither of which shall load the other.
/** What asks for plans, loaded with the first question. */
export const loadAsking = () => import('./ask-plan.ts')
