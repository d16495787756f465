import { type AnyRoute, createRoute, redirect } from '@tanstack/react-router'
import { Route as root } from '../routes/__root.tsx'
import { Route as console } from '../routes/_console/route.tsx'
import { Route as start } from '../routes/_console/index.tsx'
import { Route as silo } from '../routes/_console/_silo/route.tsx'
import { Route as projects } from '../routes/_console/_silo/_projects/route.tsx'
import { Route as projectsIndex } from '../routes/_console/_silo/_projects/projects.index.tsx'
import { Route as project } from '../routes/_console/projects/$project/route.tsx'
import { Route as projectIndex } from '../routes/_console/projects/$project/index.tsx'
import { Route as instances } from '../routes/_console/projects/$project/instances/route.tsx'
import { Route as instancesIndex } from '../routes/_console/projects/$project/instances/index.tsx'
import type { routeTree } from '../routeTree.gen.ts'

/** Puts a route where the generated tree will put it again. */
function place(
  route: AnyRoute,
  parent: AnyRoute,
  at: { id: string; path?: string },
  children: AnyRoute[] = [],
) {
  route.update({ ...at, getParentRoute: () => parent } as never)
  if (children.length > 0) route.addChildren(children)
  return route
}

/** Where a route has a path of its own, that is its id too. */
const at = (path: string) => ({ id: path, path })

/**
 * The routes of the pages that people begin with; a test compares them with the generated tree of all, which grows with
 * every page and comes after the first. Whoever goes anywhere else before that waits for `grow`, which brings it.
 */
export function firstTree(grow: () => Promise<unknown>): typeof routeTree {
  const elsewhere = createRoute({
    getParentRoute: () => root,
    path: '$',
    beforeLoad: async ({ location }) => {
      await grow()
      throw redirect({ href: location.href, replace: true })
    },
  })
  return root.addChildren([
    place(console, root, { id: '/_console' }, [
      place(start, console, at('/')),
      place(silo, console, { id: '/_silo' }, [
        place(projects, silo, { id: '/_projects' }, [place(projectsIndex, projects, at('/projects/'))]),
      ]),
      place(project, console, at('/projects/$project'), [
        place(projectIndex, project, at('/')),
        place(instances, project, at('/instances'), [place(instancesIndex, instances, at('/'))]),
      ]),
    ]),
    elsewhere,
  ]) as unknown as typeof routeTree
}
