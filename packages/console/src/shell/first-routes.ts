import { type AnyRoute, createRoute, redirect } from '@tanstack/react-router'
import { Route as root } from '../routes/__root.tsx'
import { Route as console } from '../routes/_console/route.tsx'
import { Route as start } from '../routes/_console/index.tsx'
import { Route as silo } from '../routes/_console/_silo/route.tsx'
import { Route as access } from '../routes/_console/_silo/access.tsx'
import { Route as utilization } from '../routes/_console/_silo/utilization.tsx'
import { Route as siloImages } from '../routes/_console/_silo/_images/route.tsx'
import { Route as siloImagesIndex } from '../routes/_console/_silo/_images/images.index.tsx'
import { Route as people } from '../routes/_console/_silo/_people/route.tsx'
import { Route as users } from '../routes/_console/_silo/_people/_users/route.tsx'
import { Route as usersIndex } from '../routes/_console/_silo/_people/_users/users.index.tsx'
import { Route as groups } from '../routes/_console/_silo/_people/_groups/route.tsx'
import { Route as groupsIndex } from '../routes/_console/_silo/_people/_groups/users.groups.index.tsx'
import { Route as projects } from '../routes/_console/_silo/_projects/route.tsx'
import { Route as projectsIndex } from '../routes/_console/_silo/_projects/projects.index.tsx'
import { Route as project } from '../routes/_console/projects/$project/route.tsx'
import { Route as projectIndex } from '../routes/_console/projects/$project/index.tsx'
import { Route as projectAccess } from '../routes/_console/projects/$project/access.tsx'
import { Route as affinity } from '../routes/_console/projects/$project/_affinity/route.tsx'
import { Route as affinityIndex } from '../routes/_console/projects/$project/_affinity/affinity.index.tsx'
import { Route as disks } from '../routes/_console/projects/$project/_disks/route.tsx'
import { Route as disksIndex } from '../routes/_console/projects/$project/_disks/disks.index.tsx'
import { Route as floatingIps } from '../routes/_console/projects/$project/_floating-ips/route.tsx'
import { Route as floatingIpsIndex } from '../routes/_console/projects/$project/_floating-ips/floating-ips.index.tsx'
import { Route as images } from '../routes/_console/projects/$project/_images/route.tsx'
import { Route as imagesIndex } from '../routes/_console/projects/$project/_images/images.index.tsx'
import { Route as instances } from '../routes/_console/projects/$project/instances/route.tsx'
import { Route as instancesIndex } from '../routes/_console/projects/$project/instances/index.tsx'
import { Route as snapshots } from '../routes/_console/projects/$project/_snapshots/route.tsx'
import { Route as snapshotsIndex } from '../routes/_console/projects/$project/_snapshots/snapshots.index.tsx'
import { Route as vpcs } from '../routes/_console/projects/$project/_vpcs/route.tsx'
import { Route as vpcsIndex } from '../routes/_console/projects/$project/_vpcs/vpcs.index.tsx'
import { Route as settings } from '../routes/_console/settings/route.tsx'
import { Route as accessTokens } from '../routes/_console/settings/access-tokens.tsx'
import { Route as profile } from '../routes/_console/settings/profile.tsx'
import { Route as sessions } from '../routes/_console/settings/sessions.tsx'
import { Route as sshKeys } from '../routes/_console/settings/_ssh-keys/route.tsx'
import { Route as sshKeysIndex } from '../routes/_console/settings/_ssh-keys/ssh-keys.index.tsx'
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

/** A list that forms open over is a layout without a path, and the list alone is the page in it that shows nothing. */
const list = (layout: AnyRoute, index: AnyRoute, parent: AnyRoute, name: string) =>
  place(layout, parent, { id: `/_${name}` }, [place(index, layout, at(`/${name}/`))])

/**
 * The routes of the pages that people begin with, lists above all; a test compares them with the generated tree of all, which grows with
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
        list(projects, projectsIndex, silo, 'projects'),
        list(siloImages, siloImagesIndex, silo, 'images'),
        place(people, silo, { id: '/_people' }, [
          list(users, usersIndex, people, 'users'),
          place(groups, people, { id: '/_groups' }, [place(groupsIndex, groups, at('/users/groups/'))]),
        ]),
        place(access, silo, at('/access')),
        place(utilization, silo, at('/utilization')),
      ]),
      place(project, console, at('/projects/$project'), [
        place(projectIndex, project, at('/')),
        place(instances, project, at('/instances'), [place(instancesIndex, instances, at('/'))]),
        list(disks, disksIndex, project, 'disks'),
        list(snapshots, snapshotsIndex, project, 'snapshots'),
        list(images, imagesIndex, project, 'images'),
        list(vpcs, vpcsIndex, project, 'vpcs'),
        list(floatingIps, floatingIpsIndex, project, 'floating-ips'),
        list(affinity, affinityIndex, project, 'affinity'),
        place(projectAccess, project, at('/access')),
      ]),
      place(settings, console, at('/settings'), [
        place(profile, settings, at('/profile')),
        list(sshKeys, sshKeysIndex, settings, 'ssh-keys'),
        place(accessTokens, settings, at('/access-tokens')),
        place(sessions, settings, at('/sessions')),
      ]),
    ]),
    elsewhere,
  ]) as unknown as typeof routeTree
}
