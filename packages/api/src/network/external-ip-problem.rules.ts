/** Why an external address of an instance does not work. */
export const externalIpProblems = ['not_carried', 'refused'] as const

/** No packet leaves by the address or is answered: no internet gateway of the VPC has its pool or itself. */
export const notCarried = (ip: string, vpc: string): { message: string; next_step: string } => ({
  message: `No internet gateway of the VPC ${vpc} carries ${ip}, so no packet enters or leaves by it.`,
  next_step: 'Attach its IP pool to an internet gateway of the VPC to which a route leads.',
})
