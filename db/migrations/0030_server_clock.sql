CREATE TABLE "nightshift"."clock_setbacks" (
	"set_from" timestamp with time zone NOT NULL,
	"set_to" timestamp with time zone NOT NULL,
	CONSTRAINT "clock_setbacks_set_from_set_to_pk" PRIMARY KEY("set_from","set_to")
);
--> statement-breakpoint
CREATE TABLE "nightshift"."server_clock" (
	"id" smallint PRIMARY KEY DEFAULT 1 NOT NULL,
	"seen_at" timestamp with time zone NOT NULL,
	CONSTRAINT "server_clock_one" CHECK ("nightshift"."server_clock"."id" = 1)
);
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE ON nightshift.server_clock TO nightshift_app;--> statement-breakpoint
GRANT SELECT, INSERT ON nightshift.clock_setbacks TO nightshift_app;
