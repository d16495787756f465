/** What a silo's certificate may be for. */
export const certificateServices = ['external_api'] as const
