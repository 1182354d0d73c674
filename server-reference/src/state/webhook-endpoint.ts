/** Where the run events of a world's tenant are sent; those of its neighbour are not. */
export interface WebhookEndpointRecord {
  id: string;
  worldId: string;
  url: string;
  /** Custom headers sent with every delivery. */
  headers: Record<string, string>;
  /** `whsec_…`; the key of the signature. */
  secret: string;
  enabled: boolean;
  createdAt: string;
}
