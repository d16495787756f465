import type { Gateway, Route } from '../queries.ts'

/** The routes with a gateway as target, which they name. */
export const routesTo = <One extends Pick<Route, 'target'>>(
  { name }: Pick<Gateway, 'name'>,
  routes: readonly One[],
): One[] => routes.filter(({ target }) => target.type === 'internet_gateway' && target.value === name)
