import { roleOrder } from '../base/roles.rules.ts'

/** Values that the later edition adds to enumerations, by component. Answers of both have them. */
export const laterValues: Readonly<Record<string, readonly string[]>> = {
  ProjectRole: ['limited_collaborator'],
  SiloRole: ['limited_collaborator'],
}

/** The enumerations that they are in, complete. */
export const laterEnums = Object.fromEntries(
  Object.keys(laterValues).map((name) => [name, { type: 'string', enum: [...roleOrder] }]),
)
