import { routeEdits } from '@gantry/api/network/vpc-router.rules'
import type { ReactNode } from 'react'
import type { Send } from '#/data/client.ts'
import { useWhyNotNetworks } from '#/data/permissions.ts'
import { DescriptionField, NameField } from '#/kit/forms/fields.tsx'
import { CreateForm, EditForm } from '#/kit/forms/KindForms.tsx'
import { Note } from '#/ui/feedback/Note.tsx'
import { routerLink } from '../links.ts'
import type { Route } from '../queries.ts'
import { emptyRoute, endsProblem, type RouteValues, valuesOf } from './route-values.ts'
import { DestinationFields, TargetFields } from './RouteEnds.tsx'
import { whyNotEditRoute } from './words.ts'

interface Props {
  project: string
  vpc: string
  router: string
  /** The edited route. */
  route?: Route
  /** Why this router cannot have routes. */
  whyNone?: string | undefined
  save: (values: RouteValues, send?: Send) => Promise<Route>
}

/** The form of a new or existing route. Fields that the system decides for its own routes are disabled. */
export function RouteForm({ project, vpc, router, route, whyNone, save }: Props) {
  const whyNotAllowed = useWhyNotNetworks(project)
  const whyFixed = whyNone ?? (route && whyNotEditRoute(route.kind))
  const isDefault = route !== undefined && routeEdits[route.kind] === 'target'
  const Form = route ? EditForm : CreateForm
  return (
    <Form
      kind="route"
      context={`In router ${router}`}
      initial={route ? valuesOf(route) : emptyRoute}
      check={endsProblem}
      save={save}
      reviewable
      closeTo={routerLink(project, vpc, router)}
      disabled={whyNotAllowed ?? whyFixed}
    >
      {isDefault && <Note>Only the target of a default route can be changed.</Note>}
      <Part isFixed={Boolean(whyFixed) || isDefault}>
        <NameField name="name" />
        <DescriptionField name="description" />
        <DestinationFields project={project} vpc={vpc} router={router} ownId={route?.id} />
      </Part>
      <Part isFixed={Boolean(whyFixed)}>
        <TargetFields project={project} vpc={vpc} />
      </Part>
    </Form>
  )
}

function Part({ isFixed, children }: { isFixed: boolean; children: ReactNode }) {
  return (
    <fieldset disabled={isFixed} className="min-w-0 space-y-5.5">
      {children}
    </fieldset>
  )
}
