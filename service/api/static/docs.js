// Starts Swagger UI on the document of this service. A file of its own, so that pages need no inline script.
window.ui = SwaggerUIBundle({
  url: "openapi.json",
  dom_id: "#swagger-ui",
  presets: [SwaggerUIBundle.presets.apis],
  deepLinking: true,
  defaultModelsExpandDepth: 0,
  displayOperationId: true,
  displayRequestDuration: true,
  tryItOutEnabled: true,
  validatorUrl: null,
});
